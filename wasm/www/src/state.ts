// What the page is about: inputs and choices. Everything shown is computed from it.
import type { Dialect, Source } from "../../pkg/eventrie.js";
import { filled, joined, SCOPES, SUBSCRIBER } from "./scopes.ts";

export interface Rule {
  name: string;
  text: string;
}

/** What a rule is written for: a dialect, or a subscriber with a filter in each of three dialects. */
export type Service = Dialect | typeof SUBSCRIBER;

export interface State {
  dialect: Service;
  source: Source;
  rules: Rule[];
  events: string[];
  /** Which rule and which event are open. */
  rule: number;
  event: number;
}

export const DIALECTS: { name: Service; title: string; rule: string; event: string }[] = [
  { name: "eventbridge", title: "EventBridge rule", rule: "Rule", event: "Event" },
  { name: "pipes", title: "Pipes filter", rule: "Filter", event: "Record" },
  { name: "lambda-esm", title: "Lambda event filter", rule: "Filter", event: "Record" },
  { name: "sns-attributes", title: "SNS policy · attributes", rule: "Policy", event: "Message" },
  { name: "sns-body", title: "SNS policy · body", rule: "Policy", event: "Body" },
  { name: SUBSCRIBER, title: "Custom Event Bus · subscriber", rule: "Subscriber", event: "Event" },
  { name: "eventsv2-event-source", title: "Custom Event Bus · event source", rule: "Pattern", event: "Event" },
];

/** A number of something, as in "2 policies". */
export function counted(number: number, word: string): string {
  const noun = word.toLowerCase();
  return `${number} ${number === 1 ? noun : noun.replace(/y$/, "ie").concat("s")}`;
}

/** Whether patterns see the event itself: neither an SNS message nor a record around it. */
export function isPlain(dialect: Service): boolean {
  return dialect === "eventbridge" || dialect.startsWith("eventsv2-");
}

/** The service of a pattern, and its text there: a filter of one scope becomes a subscriber with this filter alone. */
export function adopted(dialect: string, text: string): { dialect: Service; text: string } | null {
  const scope = SCOPES.findIndex((one) => one.dialect === dialect);
  if (scope >= 0) return { dialect: SUBSCRIBER, text: joined(SCOPES.map((_, at) => (at === scope ? text : ""))) };
  const known = DIALECTS.find((one) => one.name === dialect);
  return known ? { dialect: known.name, text } : null;
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

export function wording(dialect: Service): { rule: string; event: string; title: string } {
  return DIALECTS.find((one) => one.name === dialect) ?? { rule: "Rule", event: "Event", title: "" };
}

export function hasRecords(dialect: Service): boolean {
  return dialect === "pipes" || dialect === "lambda-esm";
}

/** The same rules and events for another service. What a subscriber has for the data is what others test. */
export function converted(state: State, dialect: Service): State {
  if ((state.dialect === SUBSCRIBER) === (dialect === SUBSCRIBER)) return { ...state, dialect };
  const convert = (text: string): string => (dialect === SUBSCRIBER ? joined([text, "", ""]) : (filled(text)[0]?.text ?? ""));
  return { ...state, dialect, rules: state.rules.map(({ name, text }) => ({ name, text: convert(text) })) };
}

/** A state with all its parts, from what may be anything (a link, the browser's storage). */
export function sound(value: unknown): State | null {
  if (typeof value !== "object" || value === null) return null;
  const given = value as Partial<Record<keyof State, unknown>>;
  const adopt = (text: string) => adopted(String(given.dialect), text);
  const dialect = adopt("")?.dialect;
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
    rules: rules.map(({ name, text }) => ({ name, text: adopt(text)?.text ?? text })),
    events,
    rule: within(given.rule, rules.length),
    event: within(given.event, events.length),
  };
}
