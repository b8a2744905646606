// A subscriber of a Custom Event Bus as one text: its filters one after another, each for one part of an event.
import type { Dialect, Range, Scope } from "../../pkg/eventrie.js";

/** What the page calls the service whose rules have a filter for each part. */
export const SUBSCRIBER = "eventsv2";

export interface Part {
  scope: Scope;
  dialect: Dialect;
  /** The member of an event that the filter tests. */
  member: string;
  title: string;
  hint: string;
}

export const SCOPES: readonly Part[] = [
  { scope: "DATA", dialect: "eventsv2-data", member: "Data", title: "Data", hint: "what was published: the payload, or the envelope of PutEvents" },
  { scope: "METADATA", dialect: "eventsv2-metadata", member: "Metadata", title: "Metadata", hint: "what PutRawEvents or a webhook attached; values are strings" },
  { scope: "SYSTEM_METADATA", dialect: "eventsv2-system-metadata", member: "SystemMetadata", title: "System metadata", hint: "what the service says: aws:Source, aws:DetailType, ContentType" },
];

/** Between the filters; JSON cannot contain it. */
const SEPARATOR = "\0";

export function joined(filters: readonly string[]): string {
  return filters.map((text) => text.replaceAll(SEPARATOR, "")).join(SEPARATOR);
}

/** A filter of a subscriber, and where its text begins in that of the subscriber. */
export interface Filter extends Part {
  index: number;
  text: string;
  start: number;
}

/** The filters of a document, including empty ones. */
export function filtersOf(text: string): Filter[] {
  const texts = text.split(SEPARATOR);
  let start = 0;
  return SCOPES.map((part, index) => {
    const filter = { ...part, index, text: texts[index] ?? "", start };
    start += filter.text.length + 1;
    return filter;
  });
}

/** Those that are not empty. */
export function filled(text: string): Filter[] {
  return filtersOf(text).filter((filter) => filter.text.trim() !== "");
}

/** The configuration as the service's API has it. */
export function configuration(text: string): { Filters: { Scope: Scope; Pattern: string }[] } | Record<string, never> {
  const filters = filled(text);
  return filters.length ? { Filters: filters.map(({ scope, text: pattern }) => ({ Scope: scope, Pattern: pattern })) } : {};
}

/** The rule that a configuration makes; null if it is none. */
export function ofConfiguration(value: unknown, read: (pattern: unknown) => string | null): string | null {
  const { Filters, filters } = (typeof value === "object" && value !== null ? value : {}) as { Filters?: unknown; filters?: unknown };
  const list = Array.isArray(Filters) ? Filters : Array.isArray(filters) ? filters : [];
  const texts = SCOPES.map(() => "");
  for (const filter of list) {
    const { Scope, scope, Pattern, pattern } = (typeof filter === "object" && filter !== null ? filter : {}) as Record<string, unknown>;
    const at = SCOPES.findIndex((one) => one.scope === (Scope ?? scope));
    if (at >= 0) texts[at] = read(Pattern ?? pattern) ?? texts[at] ?? "";
  }
  return texts.some((text) => text !== "") ? joined(texts) : null;
}

/** The ranges of a range moved by a number of characters. */
export function moved<T extends Range>(range: T, by: number): T {
  return { ...range, start: range.start + by, end: range.end + by };
}
