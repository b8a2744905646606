// A subscriber of a Custom Event Bus: the filters of one rule, judged together and explained one by one.
import * as eventrie from "../../pkg/web.js";
import type { Branch, Check, ConfigurationError, Explanation, Finding, Place, Range } from "../../pkg/eventrie.js";
import { members, prettyOr } from "./json-text.ts";
import { configuration, filled, type Filter, moved, SCOPES } from "./scopes.ts";

export interface JudgedFilter extends Filter {
  /** Null if it is not valid. */
  pattern: eventrie.Pattern | null;
}

/** A subscriber as far as it does not depend on events. */
export interface Subscribed {
  check: Check;
  filters: JudgedFilter[];
  /** Null if a filter is not valid. */
  subscriber: eventrie.Subscriber | null;
}

/** How one filter fared. Places are in the text of the subscriber and in what is shown of the event. */
export interface FilterAnswer {
  filter: JudgedFilter;
  matched: boolean;
  explanation: Explanation | null;
  /** Why it could not be judged. */
  reason: string | null;
  /** The same with places in the filter's own text and in the part that it saw, for changes to be tried. */
  own: { explanation: Explanation; part: string } | null;
}

/** What the service allows for all filters of a subscriber together, in bytes. */
const MOST = 4_096;

const aboutAll = (message: string, help: string | null, service: string | null): Finding => ({ code: "", severity: "error", message, label: "", start: 0, end: 0, context: [], help, fix: null, service });

function movedFinding(finding: Finding, by: number): Finding {
  const { context, fix } = finding;
  return { ...moved(finding, by), context: context.map((one) => moved(one, by)), fix: fix && moved(fix, by) };
}

export function judgeSubscriber(text: string): Subscribed {
  const check: Check = { valid: true, findings: [], serviceMessage: null, canonical: null, usage: [] };
  const filters = filled(text).map((filter): JudgedFilter => {
    const { dialect, title, start } = filter;
    const one = eventrie.check(filter.text, { dialect, serviceLimits: true });
    check.valid &&= one.valid;
    check.findings.push(...one.findings.map((finding) => movedFinding(finding, start)));
    check.serviceMessage ??= one.serviceMessage;
    check.usage.push(...one.usage.map((usage) => ({ ...usage, limit: `${dialect}-${usage.limit}`, title: `${title}: ${usage.title}` })));
    let pattern: eventrie.Pattern | null = null;
    try {
      // What only exceeds a limit of the service can still be explained.
      pattern = new eventrie.Pattern(filter.text, { dialect });
    } catch {
      check.valid = false;
    }
    return { ...filter, pattern };
  });
  if (filters.length > 1) {
    const used = filters.reduce((sum, filter) => sum + new TextEncoder().encode(filter.text).length, 0);
    check.usage.unshift({ limit: "subscriber-bytes", title: "All filters together", used, most: MOST, unit: "bytes" });
  }
  let subscriber: eventrie.Subscriber | null = null;
  if (filters.every(({ pattern }) => pattern)) {
    const whole = configuration(text);
    try {
      subscriber = new eventrie.Subscriber(whole, { serviceLimits: true });
      check.findings = subscriber.lint().map(({ filter, ...finding }) => movedFinding(finding, filters[filter]?.start ?? 0));
    } catch (error) {
      subscriber = new eventrie.Subscriber(whole);
      const { faults, serviceMessage } = error as ConfigurationError;
      if (check.valid) {
        check.valid = false;
        check.findings = faults.map((fault) => aboutAll(fault.message, fault.help, fault.serviceMessage));
        check.serviceMessage = serviceMessage;
      }
    }
  }
  return { check, filters, subscriber };
}

export function freeSubscriber({ filters, subscriber }: Subscribed): void {
  subscriber?.free();
  for (const { pattern } of filters) pattern?.free();
}

const normal = (text: string | undefined): string | null => {
  try {
    return text === undefined ? null : JSON.stringify(JSON.parse(text));
  } catch {
    return null;
  }
};

/** What to show of an event and where each part of it is: the text itself if it has the parts, else the event made of it. */
function partsIn(event: string, whole: string): { seen: string; places: Partial<Record<string, Range>> } {
  const made = members(whole) ?? {};
  const partOf = (member: string): string => whole.slice(made[member]?.start, made[member]?.end);
  const own = members(event) ?? {};
  const inside = ({ start, end }: Range) => event.slice(start, end);
  if (own.Data && SCOPES.every(({ member }) => normal(own[member] ? inside(own[member]) : "{}") === normal(partOf(member)))) return { seen: event, places: own };
  // One part alone.
  const bare = normal(event);
  const [only, ...others] = SCOPES.filter(({ member }) => !["{}", "null"].includes(partOf(member)));
  if (only && !others.length && bare === normal(partOf(only.member))) {
    const start = event.length - event.trimStart().length;
    return { seen: event, places: { [only.member]: { start, end: event.trimEnd().length } } };
  }
  const seen = prettyOr(whole);
  return { seen, places: members(seen) ?? {} };
}

/** An explanation with its places moved; without places in the event if `event` is null. */
export function movedExplanation(explanation: Explanation, pattern: number, event: number | null): Explanation {
  const seen = (place: Place | null): Place | null => (place && event !== null ? moved(place, event) : null);
  const branch = (one: Branch): Branch => ({
    ...moved(one, pattern),
    fields: one.fields.map((field) => ({
      ...moved(field, pattern),
      key: moved(field.key, pattern),
      overriddenBy: field.overriddenBy && moved(field.overriddenBy, pattern),
      tests: field.tests.map((test) => moved(test, pattern)),
      values: field.values.flatMap((value) => (event === null ? [] : [{ ...value, place: moved(value.place, event) }])),
      misses: field.misses.map((miss) => ({ ...miss, test: miss.test && moved(miss.test, pattern), place: seen(miss.place) })),
    })),
    groups: one.groups.map((group) => ({ ...moved(group, pattern), branches: group.branches.map(branch) })),
    conflicts: one.conflicts.map((conflict) => ({ ...conflict, ranges: conflict.ranges.map((range) => moved(range, pattern)) })),
  });
  const { patternPlace, eventPlace, root } = explanation;
  return { ...explanation, patternPlace: patternPlace && moved(patternPlace, pattern), eventPlace: seen(eventPlace), root: branch(root) };
}

export interface SubscriberAnswer {
  matched: boolean;
  undecided: boolean;
  explanation: Explanation;
  seen: string;
  notes: string[];
  filters: FilterAnswer[];
}

/** Whether the subscriber receives an event, and why. Throws an `EventError` for anything that is not an event. */
export function answerSubscriber({ subscriber, filters }: Subscribed & { subscriber: eventrie.Subscriber }, event: string, length: number): SubscriberAnswer {
  const report = subscriber.explain(event);
  const { seen, places } = partsIn(event, report.event);
  const fared = filters.map((filter, at): FilterAnswer => {
    const { explanation = null, reason = null, seen: saw = null } = report.filters[at] ?? {};
    if (!explanation || !filter.pattern) return { filter, matched: false, explanation: null, reason, own: null };
    const place = places[filter.member];
    const part = place ? seen.slice(place.start, place.end) : "{}";
    const own = part === saw ? explanation : filter.pattern.explain(part);
    return { filter, matched: own.matched, explanation: movedExplanation(own, filter.start, place?.start ?? null), reason: null, own: { explanation: own, part } };
  });
  const all = fared.flatMap(({ explanation }) => explanation ?? []);
  const first = all.find(({ matched }) => !matched) ?? null;
  const explanation: Explanation = {
    matched: report.matched,
    summary: report.summary,
    help: first?.help ?? null,
    nearness: Math.min(1_000, ...all.map(({ nearness }) => nearness)),
    patternPlace: first?.patternPlace ?? null,
    eventPlace: first?.eventPlace ?? null,
    root: { start: 0, end: length, held: report.matched, fields: all.flatMap(({ root }) => root.fields), groups: all.flatMap(({ root }) => root.groups), conflicts: all.flatMap(({ root }) => root.conflicts) },
  };
  return { matched: report.matched, undecided: report.undecided, explanation, seen, notes: report.notes, filters: fared };
}

/** An event that every filter matches, as a target with `WITH_METADATA` gets it; null if none was found. */
export function sampleForSubscriber({ subscriber, filters }: Subscribed): string | null {
  if (!subscriber) return null;
  const parts: Record<string, string> = { Data: "{}", Metadata: "{}", SystemMetadata: "{}" };
  for (const { member, pattern } of filters) {
    const part = pattern?.sample();
    if (part === undefined) return null;
    parts[member] = part;
  }
  const system = JSON.parse(parts.SystemMetadata ?? "{}") as Record<string, unknown>;
  const sent = "aws:Source" in system || "aws:DetailType" in system ? "application/eventbridge+json" : "application/json";
  parts.SystemMetadata = JSON.stringify({ ContentType: sent, "aws:DeliveryType": "LIVE", ...system });
  const event = `{${Object.entries(parts).map(([name, text]) => `"${name}":${text}`).join(",")}}`;
  return subscriber.isMatch(event) ? prettyOr(event) : null;
}

/** The data of an event in any shape, as JSON text. Throws an `EventError` for what is no event. */
export function dataOf(event: string): string {
  const everyone = new eventrie.Subscriber({});
  try {
    const whole = everyone.explain(event).event;
    const place = members(whole)?.Data;
    return place ? whole.slice(place.start, place.end) : "{}";
  } finally {
    everyone.free();
  }
}
