// Answers from the library, kept as long as the inputs they are about.
import init, * as eventrie from "../../pkg/web.js";
import wasm from "../../pkg/eventrie.wasm?url";
import type { BuildError, Check, EventError, Explanation, Finding, Outcome, PatternError, Range } from "../../pkg/eventrie.js";
import { members, prettyOr } from "./json-text.ts";
import { joined, SUBSCRIBER, filtersOf } from "./scopes.ts";
import { hasRecords, isPlain, type State } from "./state.ts";
import { answerSubscriber, dataOf, type FilterAnswer, freeSubscriber, judgeSubscriber, sampleForSubscriber, type Subscribed } from "./subscriber.ts";

/** What the open rule says of the open event. */
export interface Answer {
  verdict: Verdict;
  explanation: Explanation | null;
  /** The text that the explanation's places are in: the event itself, or what patterns see of it. */
  seen: string | null;
  outcome: Outcome | null;
  fault: Fault | null;
  /** Of a subscriber: how each filter fared, and what else is worth knowing. */
  filters: FilterAnswer[];
  notes: string[];
}

export type Verdict = "match" | "no-match" | "bad-rule" | "bad-event" | "undecided" | "empty";

/** What is wrong with an event, and where in its text. */
export interface Fault {
  message: string;
  place: Range | null;
}

/** A rule as far as it does not depend on events. */
export interface Judged {
  check: Check;
  pattern: eventrie.Pattern | null;
  filter: eventrie.RecordFilter | eventrie.SnsFilter | null;
  subscribed: Subscribed | null;
}

type Setting = Pick<State, "dialect" | "source">;

export async function start(): Promise<void> {
  await init(wasm);
}

/** Keeps at most so many, those used last. */
class Kept<T> {
  private readonly map = new Map<string, T>();
  constructor(private readonly most: number, private readonly drop: (value: T) => void = () => {}) {}

  get(key: string, make: () => T): T {
    let value = this.map.get(key);
    if (value === undefined) value = make();
    else this.map.delete(key);
    this.map.set(key, value);
    if (this.map.size > this.most) {
      const [oldest, dropped] = this.map.entries().next().value as [string, T];
      this.map.delete(oldest);
      this.drop(dropped);
    }
    return value;
  }
}

const rules = new Kept<Judged>(200, ({ pattern, filter, subscribed }) => {
  pattern?.free();
  filter?.free();
  if (subscribed) freeSubscriber(subscribed);
});

/** What is to be said of a rule alone. */
export function judge(text: string, { dialect, source }: Setting): Judged {
  return rules.get(`${dialect} ${source} ${text}`, () => {
    if (dialect === SUBSCRIBER) {
      const subscribed = judgeSubscriber(text);
      return { check: subscribed.check, pattern: null, filter: null, subscribed };
    }
    const check = eventrie.check(text, { dialect, serviceLimits: true });
    const judged: Judged = { check, pattern: null, filter: null, subscribed: null };
    try {
      // What only exceeds a limit of the service can still be explained.
      const pattern = new eventrie.Pattern(text, { dialect });
      judged.pattern = pattern;
      if (hasRecords(dialect)) judged.filter = new eventrie.RecordFilter([text], source, { dialect });
      else if (!isPlain(dialect)) judged.filter = new eventrie.SnsFilter([text], { dialect });
    } catch (error) {
      const { findings } = error as PatternError;
      if (check.valid) {
        check.valid = false;
        check.findings = findings ?? [asFinding(error as BuildError, text)];
        check.serviceMessage = (error as PatternError).serviceMessage ?? null;
      }
    }
    return judged;
  });
}

function asFinding(error: BuildError, text: string): Finding {
  const { message } = error;
  return { code: "", severity: "error", message, label: "", start: 0, end: text.length, context: [], help: null, fix: null, service: null };
}

/** A message of SNS as it is delivered; an input of attributes alone becomes one. */
function asMessage(text: string, body: boolean): { text: string; before: number } {
  if (body) return { text: `{"Message":${JSON.stringify(text)}}`, before: 0 };
  try {
    const whole = JSON.parse(text) as Record<string, unknown>;
    if (typeof whole.MessageAttributes === "object" && (typeof whole.Message === "string" || typeof whole.Type === "string")) {
      return { text, before: 0 };
    }
  } catch {
    // What is wrong with it is said by the library, with the place.
  }
  const head = '{"MessageAttributes":';
  return { text: `${head}${text.trim() === "" ? "{}" : text}}`, before: head.length };
}

/** The answer of a rule to an event, with the reasons. */
export function answer(rule: string, event: string, setting: Setting): Answer {
  const judged = judge(rule, setting);
  const blank: Answer = { verdict: "bad-rule", explanation: null, seen: null, outcome: null, fault: null, filters: [], notes: [] };
  if (judged.subscribed) return subscriberAnswer(judged.subscribed, blank, event, rule.length);
  if (!judged.pattern || (!isPlain(setting.dialect) && !judged.filter)) return blank;
  let before = 0;
  try {
    const { filter } = judged;
    let outcome: Outcome | null = null;
    let seen: string | null = event;
    if (filter instanceof eventrie.RecordFilter) {
      outcome = filter.judge(event);
      seen = prettyOr(filter.asEvent(event));
    } else if (filter) {
      const attributes = setting.dialect === "sns-attributes";
      const message = asMessage(event, !attributes);
      ({ before } = message);
      outcome = filter.judge(message.text);
      if (attributes) {
        const projected = eventrie.attributesAsEvent(message.text);
        const none = outcome.metric?.endsWith("NoMessageAttributes");
        seen = projected === undefined ? (none ? "{}" : null) : prettyOr(projected);
      } else if (outcome.metric?.endsWith("InvalidMessageBody")) seen = null;
    }
    let explanation = seen === null ? null : judged.pattern.explain(seen);
    // The policy alone would match, but the service does not apply it to this message.
    if (outcome && !outcome.passes && explanation?.matched) explanation = null;
    const matched = outcome ? outcome.passes : (explanation?.matched ?? false);
    const verdict = judged.check.valid ? (matched ? "match" : "no-match") : "bad-rule";
    return { ...blank, verdict, explanation, seen, outcome };
  } catch (error) {
    return { ...blank, verdict: "bad-event", fault: faultOf(error, event, before) };
  }
}

function subscriberAnswer(subscribed: Subscribed, blank: Answer, event: string, length: number): Answer {
  const { subscriber, check } = subscribed;
  if (!subscriber) return blank;
  try {
    const { matched, undecided, ...rest } = answerSubscriber({ ...subscribed, subscriber }, event, length);
    return { ...blank, ...rest, verdict: !check.valid ? "bad-rule" : undecided ? "undecided" : matched ? "match" : "no-match" };
  } catch (error) {
    const fault = faultOf(error, event, 0);
    const parts = members(event);
    // A fault of encoded data is counted in what was decoded: all of it is marked.
    const encoded = parts?.DataBase64 ?? (event[parts?.Data?.start ?? -1] === '"' ? parts?.Data : undefined);
    return { ...blank, verdict: "bad-event", fault: encoded && fault.place ? { ...fault, place: encoded } : fault };
  }
}

function faultOf(error: unknown, event: string, before: number): Fault {
  const { name, message, offset } = error as EventError;
  if (name !== "EventError") throw error;
  if (offset === null) return { message, place: null };
  const at = Math.min(Math.max(offset - before, 0), event.length);
  return { message: message.replace(/ at byte \d+$/, ""), place: { start: at, end: Math.min(at + 1, event.length) } };
}

/** How close an event, as patterns see it, comes to a pattern; null if the pattern is not valid. */
export function nearness(text: string, seen: string, setting: Setting): number | null {
  if (setting.dialect === SUBSCRIBER) return null;
  const { check, pattern } = judge(text, setting);
  return check.valid && pattern ? pattern.explain(seen).nearness : null;
}

/** Whether an input is a valid pattern. */
export function isValid(text: string, setting: Setting): boolean {
  return judge(text, setting).check.valid;
}

/** The verdict alone, for lists. */
export function verdict(rule: string, event: string, setting: Setting): Verdict {
  if (!rule.trim() || !event.trim()) return "empty";
  const { check, pattern, filter, subscribed } = judge(rule, setting);
  if (subscribed) return subscriberVerdict(subscribed, event);
  if (!check.valid || !pattern || setting.dialect === SUBSCRIBER) return "bad-rule";
  try {
    if (filter instanceof eventrie.RecordFilter) return filter.judge(event).passes ? "match" : "no-match";
    if (filter) {
      const message = asMessage(event, setting.dialect === "sns-body");
      return filter.judge(message.text).passes ? "match" : "no-match";
    }
    return matcher(rule, setting.dialect).isMatch(event) ? "match" : "no-match";
  } catch (error) {
    if ((error as Error).name === "EventError") return "bad-event";
    throw error;
  }
}

function subscriberVerdict({ check, subscriber }: Subscribed, event: string): Verdict {
  if (!check.valid || !subscriber) return "bad-rule";
  try {
    return subscriber.isMatch(event) ? "match" : "no-match";
  } catch (error) {
    if ((error as Error).name !== "EventError") throw error;
  }
  try {
    // Matching refuses what explaining leaves open, or answers by another filter.
    const { undecided, matched } = subscriber.explain(event);
    return undecided ? "undecided" : matched ? "match" : "no-match";
  } catch (error) {
    if ((error as Error).name === "EventError") return "bad-event";
    throw error;
  }
}

const matchers = new Kept<eventrie.Matcher>(200, (matcher) => matcher.free());

function matcher(rule: string, dialect: eventrie.Dialect): eventrie.Matcher {
  return matchers.get(`${dialect} ${rule}`, () => new eventrie.Matcher([rule], { dialect }));
}

/** An event that the rule matches, in the form in which the page takes events; null if none was found. */
export function sample(rule: string, setting: Setting): string | null {
  const { pattern, subscribed } = judge(rule, setting);
  if (subscribed) return sampleForSubscriber(subscribed);
  const event = pattern?.sample();
  if (event === undefined) return null;
  if (setting.dialect === "sns-attributes") return attributesFor(event);
  return hasRecords(setting.dialect) ? recordFor(event, setting) : prettyOr(event);
}

/** Message attributes that policies see as this event. */
function attributesFor(event: string): string {
  const attributes: Record<string, { Type: string; Value: string }> = {};
  for (const [name, value] of Object.entries(JSON.parse(event) as Record<string, unknown>)) {
    if (typeof value === "string") attributes[name] = { Type: "String", Value: JSON.stringify(value).slice(1, -1) };
    else if (typeof value === "number") attributes[name] = { Type: "Number", Value: String(value) };
    else attributes[name] = { Type: "String.Array", Value: JSON.stringify(Array.isArray(value) ? value : [value]) };
  }
  return prettyOr(JSON.stringify(attributes));
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

/** A record of the source whose payload, once decoded, makes this event. */
function recordFor(event: string, { dialect, source }: Setting): string {
  const record = JSON.parse(event) as Record<string, unknown>;
  const packed = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
  if (source === "sqs" && record.body !== undefined) record.body = packed(record.body);
  if (source === "kinesis" || source === "mq") {
    if (record.data !== undefined) record.data = base64(packed(record.data));
    if (source === "kinesis" && dialect === "lambda-esm" && record.data !== undefined) {
      const { data, ...rest } = record;
      return prettyOr(JSON.stringify({ ...rest, kinesis: { data } }));
    }
  }
  if (source === "kafka") for (const key of ["key", "value"]) if (record[key] !== undefined) record[key] = base64(packed(record[key]));
  return prettyOr(JSON.stringify(record));
}

/** A pattern that events suggest, with what was decided about each field; an error text if they are no events. Of a subscriber it is the DATA filter; the others stay. */
export function suggest(events: string[], setting: Setting, rule: string): eventrie.Inferred | string {
  try {
    if (setting.dialect === SUBSCRIBER) {
      const inferred = eventrie.infer(events.map(dataOf), { dialect: "eventsv2-data" });
      return { ...inferred, pattern: joined(filtersOf(rule).map(({ text }, at) => (at === 0 ? prettyOr(inferred.pattern) : text))) };
    }
    const seen = events.map((event) => {
      if (isPlain(setting.dialect) || setting.dialect === "sns-body") return event;
      if (setting.dialect === "sns-attributes") return eventrie.attributesAsEvent(asMessage(event, false).text) ?? "{}";
      return decoded(event, setting);
    });
    const inferred = eventrie.infer(seen, { dialect: setting.dialect });
    return { ...inferred, pattern: prettyOr(inferred.pattern) };
  } catch (error) {
    return (error as Error).message;
  }
}

/** A filter that names the payload of the source, so it is decoded. */
const PAYLOAD = {
  sqs: '{"body":{"x":[1]}}',
  kinesis: '{"data":{"x":[1]}}',
  dynamodb: '{"dynamodb":{"x":[1]}}',
  kafka: '{"value":{"x":[1]}}',
  mq: '{"data":{"x":[1]}}',
};

function decoded(record: string, { dialect, source }: Setting): string {
  const filter = new eventrie.RecordFilter([PAYLOAD[source]], source, { dialect: dialect === "pipes" ? "pipes" : "lambda-esm" });
  try {
    return filter.asEvent(record);
  } finally {
    filter.free();
  }
}

/** What happens to a record that no filter matches. */
export function fate(source: State["source"]): string {
  return eventrie.fate(source);
}
