/// <reference lib="esnext.disposable" />
/**
 * Check, match and explain Amazon EventBridge event patterns, SNS filter policies, Pipes and Lambda event filters, and the
 * subscribers of Custom Event Buses.
 *
 * Wherever a pattern, an event, a message or a record is expected, pass JSON as a string, an object, or the bytes of
 * JSON (`Uint8Array`, `Buffer`). Anything else throws a `TypeError` that names the parameter. Prefer strings and bytes
 * for events: they are matched as they are, and keep numbers that a JavaScript number cannot represent.
 */

/** JSON text, an object to be written as JSON, or the UTF-8 bytes of JSON text. */
export type Json = string | object | Uint8Array;

/** A pattern: JSON, or a `Pattern` that was read before. */
export type PatternInput = Json | Pattern;

/**
 * Checks a pattern without an event: what is wrong or suspicious, how the service words an error, and how much of each
 * limit of the service it uses. An invalid pattern is an answer, not an exception.
 *
 * @throws {TypeError} if an argument has the wrong type or an option is unknown
 */
export function check(pattern: PatternInput, options?: Options): Check;

/** One valid pattern, ready to explain its answers. */
export class Pattern {
  /** @throws {PatternError} if the pattern is invalid; it lists everything that is wrong */
  constructor(pattern: PatternInput, options?: Options);
  /** The text that was read. */
  readonly source: string;
  /** The pattern as JSON on one line. */
  toString(): string;
  /** How much of each limit of the service the pattern uses. */
  usage(): Usage[];
  /** Parts that are valid but probably do not do what was intended. */
  lint(): Finding[];
  /**
   * A small event that the pattern matches, as JSON text; `undefined` if none was found. For SNS attributes and for
   * records it is the event that patterns see (see `RecordFilter.asEvent`).
   */
  sample(): string | undefined;
  /**
   * Whether the pattern matches an event, and why. For SNS attributes and for records, pass the event that patterns see
   * (`attributesAsEvent`, `RecordFilter.asEvent`).
   *
   * @throws {EventError} if the event is not a JSON object
   */
  explain(event: Json): Explanation;
  /** Releases the memory; every later call throws. Optional: the garbage collector also does it, later. */
  free(): void;
  [Symbol.dispose](): void;
}

/**
 * Many patterns compiled into one automaton: one pass over an event answers all of them.
 *
 * ```js
 * const matcher = new Matcher({ orders: { source: ["shop"] }, large: { detail: { total: [{ numeric: [">", 100] }] } } });
 * matcher.matches({ source: "shop", detail: { total: 120 } }); // ["orders", "large"]
 * ```
 */
export interface Matcher<K = number> {
  /**
   * The patterns that match, in the order in which they were passed: names, or positions if a list was passed.
   *
   * @throws {EventError} if the event is not a JSON object
   */
  matches(event: Json): K[];
  /** Whether any pattern matches. @throws {EventError} if the event is not a JSON object */
  isMatch(event: Json): boolean;
  /** The number of patterns. */
  readonly size: number;
  /** The size of the compiled tables in bytes. */
  readonly memoryUsage: number;
  /** Releases the memory; every later call throws. Optional: the garbage collector also does it, later. */
  free(): void;
  [Symbol.dispose](): void;
}
export const Matcher: {
  /** Compiles patterns: a list, or an object or `Map` of named patterns. @throws {PatternError | BuildError} for an invalid pattern; `error.pattern` is its position or name */
  new (patterns: readonly PatternInput[], options?: Options): Matcher<number>;
  new <K>(patterns: ReadonlyMap<K, PatternInput>, options?: Options): Matcher<K>;
  new <N extends string>(patterns: { readonly [name in N]: PatternInput }, options?: Options): Matcher<N>;
};

/** The filter policies of a topic's subscriptions. `options.dialect` says their scope: `"sns-attributes"` or `"sns-body"`. */
export interface SnsFilter<K = number> {
  /**
   * Which policies let a message pass. The message has the form in which SNS delivers it to queues:
   * `{"Message": "…", "MessageAttributes": {"name": {"Type": "String", "Value": "…"}}}`.
   *
   * @throws {EventError} if the message cannot be read
   */
  judge(message: Json): Outcome<K>;
  /** Releases the memory; every later call throws. Optional: the garbage collector also does it, later. */
  free(): void;
  [Symbol.dispose](): void;
}
export const SnsFilter: {
  /** Compiles policies: a list, or an object or `Map` of named policies. @throws {PatternError | BuildError} for an invalid policy; `error.pattern` is its position or name */
  new (policies: readonly PatternInput[], options: Options): SnsFilter<number>;
  new <K>(policies: ReadonlyMap<K, PatternInput>, options: Options): SnsFilter<K>;
  new <N extends string>(policies: { readonly [name in N]: PatternInput }, options: Options): SnsFilter<N>;
};

/** The filters of a Lambda event source mapping (`options.dialect` is `"lambda-esm"`, the default) or of a pipe (`"pipes"`). */
export interface RecordFilter<K = number> {
  /** Which filters let a record pass. @throws {EventError} if the record cannot be read */
  judge(record: Json): Outcome<K>;
  /** The event that the filters match for a record: its payload decoded, as JSON text. @throws {EventError} */
  asEvent(record: Json): string;
  /** Releases the memory; every later call throws. Optional: the garbage collector also does it, later. */
  free(): void;
  [Symbol.dispose](): void;
}
export const RecordFilter: {
  /** Compiles filters: a list, or an object or `Map` of named filters, or filter criteria as the API has them. @throws {PatternError | BuildError} for an invalid filter; `error.pattern` is its position or name */
  new (filters: readonly PatternInput[] | { readonly Filters: readonly { readonly Pattern: string }[] }, source: Source, options?: Options): RecordFilter<number>;
  new <K>(filters: ReadonlyMap<K, PatternInput>, source: Source, options?: Options): RecordFilter<K>;
  new <N extends string>(filters: { readonly [name in N]: PatternInput }, source: Source, options?: Options): RecordFilter<N>;
};

/** The part of an event of a Custom Event Bus that a filter tests. */
export type Scope = "DATA" | "METADATA" | "SYSTEM_METADATA";

/**
 * The filters of a subscriber of a Custom Event Bus, as the API has them. An event is delivered if every filter matches;
 * `{}` has no filter, and every event is delivered.
 */
export type FilterConfiguration =
  | { readonly Language?: "EVENT_BRIDGE_PATTERN"; readonly Filters: readonly { readonly Scope: Scope; readonly Pattern: string }[] }
  | { readonly Filters?: undefined };

/**
 * An event of a Custom Event Bus: `{"Data", "Metadata"?, "SystemMetadata"}` as a target with `WITH_METADATA` receives it, one
 * entry of a PutEvents or PutRawEvents request, or the payload alone, which has only data. JSON, or a `BusEvent`
 * for parts that are not one JSON text.
 */
export type BusEventInput = Json | BusEvent;

/** An event of a Custom Event Bus in parts: its data, which need not be JSON, and two maps of strings. */
export class BusEvent {
  /**
   * @param data the data as it was sent
   * @param parts `systemMetadata` has what the service adds, such as `ContentType` and `aws:Source`
   */
  constructor(data: Json, parts?: { metadata?: StringMap; systemMetadata?: StringMap });
}

export type StringMap = ReadonlyMap<string, string> | { readonly [key: string]: string };

/**
 * A subscriber of a Custom Event Bus: up to three filters, each for one part of an event, and one answer. As documented in
 * November 2026; no answer of the service was recorded.
 *
 * ```js
 * const subscriber = new Subscriber({ Filters: [
 *   { Scope: "DATA", Pattern: '{"detail": {"total": [{"numeric": [">", 100]}]}}' },
 *   { Scope: "SYSTEM_METADATA", Pattern: '{"aws:Source": ["shop"]}' },
 * ] });
 * const entry = { Source: "shop", DetailType: "order", Detail: '{"total": 5}' };
 * subscriber.isMatch(entry); // false
 * subscriber.explain(entry).summary; // no match: DATA: `detail.total` is 5, …
 * ```
 */
export class Subscriber {
  /** @throws {ConfigurationError} if the configuration is invalid; it lists everything that is wrong */
  constructor(configuration: FilterConfiguration | Json, options?: SubscriberOptions);
  /** The filters, in the order in which they were passed. */
  readonly filters: SubscriberFilter[];
  /**
   * Whether the subscriber receives an event.
   *
   * @throws {EventError} if the event cannot be read, or a filter tests what is not known of it (see `SubscriberOptions.entry`)
   */
  isMatch(event: BusEventInput): boolean;
  /** Whether the subscriber receives an event, and why: filter by filter. @throws {EventError} if the event cannot be read */
  explain(event: BusEventInput): SubscriberReport;
  /** Filters that are valid but probably do not do what was intended, alone or together. Includes notes. */
  lint(): SubscriberFinding[];
  /** The configuration as JSON on one line. */
  toString(): string;
  /** Releases the memory; every later call throws. Optional: the garbage collector also does it, later. */
  free(): void;
  [Symbol.dispose](): void;
}

/** Many subscribers compiled into one automaton: one pass over an event answers all of them. */
export interface SubscriberSet<K = number> {
  /**
   * The subscribers that receive an event, in the order in which they were passed: names, or positions if a list was passed.
   *
   * @throws {EventError} if the event cannot be read, or a filter tests what is not known of it (see `SubscriberOptions.entry`)
   */
  matches(event: BusEventInput): K[];
  /** The number of subscribers. */
  readonly size: number;
  /** The size of the compiled tables in bytes. */
  readonly memoryUsage: number;
  /** Releases the memory; every later call throws. Optional: the garbage collector also does it, later. */
  free(): void;
  [Symbol.dispose](): void;
}
export const SubscriberSet: {
  /** Compiles configurations: a list, or an object or `Map` of named configurations. @throws {ConfigurationError | BuildError} for an invalid one; `error.subscriber` is its position or name */
  new (configurations: readonly (FilterConfiguration | Json)[], options?: SubscriberOptions): SubscriberSet<number>;
  new <K>(configurations: ReadonlyMap<K, FilterConfiguration | Json>, options?: SubscriberOptions): SubscriberSet<K>;
  new <N extends string>(configurations: { readonly [name in N]: FilterConfiguration | Json }, options?: SubscriberOptions): SubscriberSet<N>;
};

/**
 * Proposes a pattern that matches all of the events, and says for each field why it was kept or not.
 *
 * @throws {EventError} for an event that cannot be read; `error.event` is its position
 */
export function infer(events: Json | readonly Json[], options?: Options): Inferred;

/**
 * The event that policies over attributes match for an SNS message, as JSON text. `undefined` if the message has no usable
 * attributes (`SnsFilter.judge` says why).
 *
 * @throws {EventError} if the message cannot be read
 */
export function attributesAsEvent(message: Json): string | undefined;

/** What happens to a record of this source that no filter matches, in words. */
export function fate(source: Source): string;

/** A range in a string, as `String.prototype.slice` takes it: `start` included, `end` not. */
export interface Range {
  start: number;
  end: number;
}

/** The service whose rules apply to a pattern. */
export type Dialect =
  | "eventbridge"
  | "pipes"
  | "lambda-esm"
  | "sns-attributes"
  | "sns-body"
  // A Custom Event Bus, as documented in November 2026; no answer of the service was recorded.
  | "eventsv2-data"
  | "eventsv2-metadata"
  | "eventsv2-system-metadata"
  | "eventsv2-event-source";

/** How a pattern is read. */
export interface Options {
  /** Default `"eventbridge"`. */
  dialect?: Dialect;
  /** Reject patterns that exceed the limits of the service: length, combinations, complexity. Default false. */
  serviceLimits?: boolean;
  /** Reject operators that the service's documentation does not list. Default false. */
  strict?: boolean;
  /** Which year's SNS to follow. Default `"2026"`. */
  snsVersion?: "2024" | "2026";
  /** Which release of the EventBridge engine to follow for rules. Default `"2026-09"`. */
  engine?: "2026-07" | "2026-09";
}

/** How the filters of a subscriber are read, and what is known of events. */
export interface SubscriberOptions {
  /** Reject filters that exceed the limits of the service, such as 4,096 bytes for all together. Default false. */
  serviceLimits?: boolean;
  /** Reject operators that the service's documentation does not list. Default false. */
  strict?: boolean;
  /** The fields that the service will fill in for PutEvents entries that are not published yet. */
  entry?: { id?: string; account?: string; region?: string; time?: string };
}

/** One filter of a subscriber. */
export interface SubscriberFilter {
  scope: Scope;
  /** The pattern's text. */
  pattern: string;
}

/** A finding about one of a subscriber's filters; the range is in the text of its pattern. */
export interface SubscriberFinding extends Finding {
  /** The position of the filter. */
  filter: number;
}

/** Why a subscriber does or does not receive an event. */
export interface SubscriberReport {
  /** Whether every filter matches. */
  matched: boolean;
  /** Whether the answer depends on what is not known of the event; then `matched` is false. */
  undecided: boolean;
  /** One sentence: the verdict, and the filter and the field that caused it. */
  summary: string;
  /** What else is worth knowing: which call published the event, and where a field is. */
  notes: string[];
  /** The event in its three parts, as JSON text; `null` for `Data` that is not JSON. */
  event: string;
  /** Each filter, in the order in which they were passed. */
  filters: FilterReport[];
}

/** The result of one filter of a subscriber. */
export interface FilterReport extends SubscriberFilter {
  matched: boolean;
  /** Why the filter could not be evaluated; `null` if it was. */
  reason: string | null;
  /** The part of the event that the filter tested, as JSON text; `null` if it could not be evaluated. */
  seen: string | null;
  /** Its places are in `pattern` and `seen`; `null` if the filter could not be evaluated. */
  explanation: Explanation | null;
}

export type Severity = "error" | "warning" | "note";

/** Something to know about a pattern. The range is the part of the pattern that it is about. */
export interface Finding extends Range {
  /** The stable code, such as `E0006`. */
  code: string;
  severity: Severity;
  message: string;
  /** A few words about the marked part; may be empty. */
  label: string;
  /** Other parts of the pattern that matter. */
  context: (Range & { message: string })[];
  help: string | null;
  fix: Fix | null;
  /** How the service words the same error. */
  service: string | null;
}

/** A change to the pattern that resolves a finding. The range is the part to replace. */
export interface Fix extends Range {
  title: string;
  replacement: string;
  /** Whether it keeps the meaning and may be applied without asking. */
  safe: boolean;
}

/** How much of a limit of the service a pattern uses. */
export interface Usage {
  /** The stable name of the limit. */
  limit: string;
  title: string;
  /** `null` if it is so far above `most` that it was not counted to the end. */
  used: number | null;
  most: number;
  unit: string;
}

/** The result of checking a pattern. */
export interface Check {
  valid: boolean;
  /** The errors of an invalid pattern; the warnings and notes about a valid one. */
  findings: Finding[];
  /** What the service answers to an invalid pattern, word for word; `null` if it is valid. */
  serviceMessage: string | null;
  /** The pattern as JSON on one line; `null` if it is invalid. */
  canonical: string | null;
  /** Empty if the text is not a pattern at all. */
  usage: Usage[];
}

/** Why a pattern does or does not match an event. */
export interface Explanation {
  matched: boolean;
  /** One sentence: the verdict and its main cause. */
  summary: string;
  help: string | null;
  /** How close the event comes to a match, from 0 to 1000 (a match). */
  nearness: number;
  /** The places that the summary is about. */
  patternPlace: Range | null;
  eventPlace: Place | null;
  /** The whole pattern as a branch. */
  root: Branch;
}

/** Fields that must all match: the pattern itself, or one branch of an `$or`. The range is its object in the pattern. */
export interface Branch extends Range {
  held: boolean;
  /** Fields of nested objects included, with their full paths. */
  fields: Field[];
  groups: Group[];
  conflicts: Conflict[];
}

/** An `$or`. The range is its array in the pattern. */
export interface Group extends Range {
  held: boolean;
  branches: Branch[];
}

/** A field of the pattern. The range is its array of tests in the pattern. */
export interface Field extends Range {
  /** The keys that lead to it, joined with dots, such as `detail.state`. */
  path: string;
  /** The key in the pattern. */
  key: Range;
  held: boolean;
  /** The later array for the same path that replaces this one. */
  overriddenBy: Range | null;
  tests: (Range & { held: boolean })[];
  /** The first values of the event that were tested. */
  values: Value[];
  /** The number of values in the event, including those not listed. */
  valueCount: number;
  /** Why no value matched, the closest first. */
  misses: Miss[];
}

/** A value of the event that was tested. */
export interface Value {
  place: Place;
  /** Its JSON text, shortened if it is long. */
  text: string;
  held: boolean;
  /** Whether it is one of the values that together make the pattern match. */
  chosen: boolean;
  /** The array elements that contain it, outermost first. */
  elements: { array: string; index: number }[];
}

/** A place in the event. */
export interface Place extends Range {
  /** JSON pointer (RFC 6901). */
  pointer: string;
}

/** Fields that match one by one, but not within a single element of an array. */
export interface Conflict {
  /** The fields' arrays of tests in the pattern. */
  ranges: Range[];
  paths: string[];
  message: string;
  help: string | null;
}

/** Why a field does not match: what was found instead, or where the value is. */
export interface Miss {
  kind: MissKind;
  /** The test that came closest, if there are several. */
  test: Range | null;
  message: string;
  help: string | null;
  place: Place | null;
}

export type MissKind =
  | "letter-case" | "white-space" | "unicode-form" | "look-alike" | "quoted" | "other-type" | "literal-star"
  | "other-end" | "spelling" | "precision" | "out-of-range" | "address" | "excluded" | "present" | "null-value"
  | "is-object" | "is-empty" | "inside-text" | "similar-key" | "other-place" | "operator-as-field"
  | "not-an-object" | "different" | "missing";

/** Thrown for an invalid pattern. The message shows the findings as text, with carets. */
export interface PatternError extends Error {
  name: "PatternError";
  findings: Finding[];
  serviceMessage: string;
  /** Which of several patterns it is: its position or its name. */
  pattern?: number | string;
}

/** Thrown for an invalid filter configuration. */
export interface ConfigurationError extends Error {
  name: "ConfigurationError";
  /** Everything that is wrong, in the order of the text. */
  faults: {
    /** The position of the filter at fault; `null` if it is the configuration as a whole. */
    filter: number | null;
    message: string;
    help: string | null;
    /** What the service answers, word for word; `null` where its wording is not documented. */
    serviceMessage: string | null;
    /** What is wrong with the filter's pattern; the ranges are in its text. */
    findings: Finding[];
  }[];
  /** What the service answers to the configuration; `null` where its wording is not documented. */
  serviceMessage: string | null;
  /** Which of several subscribers it is: its position or its name. */
  subscriber?: number | string;
}

/** Thrown for an event that cannot be read. */
export interface EventError extends Error {
  name: "EventError";
  kind: "syntax" | "truncated" | "utf8" | "not-an-object" | "trailing" | "limit" | "foreign";
  /** Where in the event's text the fault is. */
  offset: number | null;
  /** The name of the limit that was exceeded, if one was. */
  limit: string | null;
  /** Which of several events it is. */
  event?: number;
}

/** Thrown for patterns that cannot be compiled together. */
export interface BuildError extends Error {
  name: "BuildError";
  /** The subscriber at fault, among several. */
  subscriber?: number | string;
  /** The position or name of the pattern at fault, if there is one. */
  pattern: number | string | null;
  limit: string | null;
}

/** A pattern proposed for some events. */
export interface Inferred {
  /** The pattern as JSON text; it matches all the events. */
  pattern: string;
  choices: { path: string; kept: boolean; reason: string }[];
}

/** Where the records of a pipe or an event source mapping come from. */
export type Source = "sqs" | "kinesis" | "dynamodb" | "kafka" | "mq";

/** What happens to a message or a record. */
export interface Outcome<K = number | string> {
  /** The patterns that match, in the order in which they were passed: names, or positions if a list was passed. */
  matched: K[];
  /** Whether it passes: a pattern matches, or there are no patterns. */
  passes: boolean;
  /** Why it does not pass, in words; `null` if it passes. */
  reason: string | null;
  /** The SNS metric that counts it; `null` if it passes, and for records. */
  metric: string | null;
}
