// What the page is about: texts and choices. Everything shown is computed from it.
import type { Dialect, Source } from "../../pkg/eventrie.js";

export interface Rule {
  name: string;
  text: string;
}

export interface State {
  dialect: Dialect;
  source: Source;
  rules: Rule[];
  events: string[];
  /** Which rule and which event are open. */
  rule: number;
  event: number;
}

export const DIALECTS: { name: Dialect; title: string; rule: string; event: string }[] = [
  { name: "eventbridge", title: "EventBridge rule", rule: "Rule", event: "Event" },
  { name: "pipes", title: "Pipes filter", rule: "Filter", event: "Record" },
  { name: "lambda-esm", title: "Lambda event filter", rule: "Filter", event: "Record" },
  { name: "sns-attributes", title: "SNS policy · attributes", rule: "Policy", event: "Message" },
  { name: "sns-body", title: "SNS policy · body", rule: "Policy", event: "Body" },
  { name: "eventsv2-data", title: "Custom Event Bus · data", rule: "Filter", event: "Data" },
  { name: "eventsv2-metadata", title: "Custom Event Bus · metadata", rule: "Filter", event: "Metadata" },
  { name: "eventsv2-system-metadata", title: "Custom Event Bus · system metadata", rule: "Filter", event: "System metadata" },
  { name: "eventsv2-event-source", title: "Custom Event Bus · event source", rule: "Pattern", event: "Event" },
];

/** A number of something, as in "2 policies". Data and metadata are what one event has. */
export function counted(number: number, word: string): string {
  const noun = word.toLowerCase();
  if (/data$/.test(noun)) return number === 1 ? noun : `${noun} of ${number} events`;
  return `${number} ${number === 1 ? noun : noun.replace(/y$/, "ie").concat("s")}`;
}

/** Whether patterns see the event itself: neither an SNS message nor a record around it. */
export function isPlain(dialect: Dialect): boolean {
  return dialect === "eventbridge" || dialect.startsWith("eventsv2-");
}

export const SOURCES: { name: Source; title: string }[] = [
  { name: "sqs", title: "SQS" },
  { name: "kinesis", title: "Kinesis" },
  { name: "dynamodb", title: "DynamoDB" },
  { name: "kafka", title: "Kafka" },
  { name: "mq", title: "MQ" },
];

/** A blank sheet for the same service. */
export function blank({ dialect, source }: Pick<State, "dialect" | "source">): State {
  return { dialect, source, rules: [{ name: "", text: "" }], events: [""], rule: 0, event: 0 };
}

export function wording(dialect: Dialect): { rule: string; event: string; title: string } {
  return DIALECTS.find((one) => one.name === dialect) ?? { rule: "Rule", event: "Event", title: "" };
}

export function hasRecords(dialect: Dialect): boolean {
  return dialect === "pipes" || dialect === "lambda-esm";
}

/** A state with all its parts, from what may be anything (a link, the browser's storage). */
export function sound(value: unknown): State | null {
  if (typeof value !== "object" || value === null) return null;
  const given = value as Partial<Record<keyof State, unknown>>;
  const dialect = DIALECTS.find((one) => one.name === given.dialect)?.name;
  const source = SOURCES.find((one) => one.name === given.source)?.name ?? "sqs";
  if (!dialect || !Array.isArray(given.rules) || !Array.isArray(given.events)) return null;
  const rules = given.rules.filter((rule: unknown): rule is Rule => {
    const { name, text } = (rule ?? {}) as Partial<Rule>;
    return typeof name === "string" && typeof text === "string";
  });
  const events = given.events.filter((event): event is string => typeof event === "string");
  if (!rules.length || !events.length) return null;
  const within = (index: unknown, length: number): number =>
    typeof index === "number" && Number.isInteger(index) && index >= 0 && index < length ? index : 0;
  return {
    dialect,
    source,
    rules: rules.map(({ name, text }) => ({ name, text })),
    events,
    rule: within(given.rule, rules.length),
    event: within(given.event, events.length),
  };
}
