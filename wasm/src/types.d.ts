/** A range of UTF-16 units of a text, half open: what `String.prototype.slice` takes. */
export interface Range {
  start: number;
  end: number;
}

/** Which service's language a pattern is written in. */
export type Dialect = "eventbridge" | "pipes" | "lambda-esm" | "sns-attributes" | "sns-body"
  /* A Custom Event Bus, as documented in 2026-11; no answer of the service was recorded. */
  | "eventsv2-data" | "eventsv2-metadata" | "eventsv2-system-metadata" | "eventsv2-event-source";

/** How a pattern is read. */
export interface Options {
  /** Default `"eventbridge"`. */
  dialect?: Dialect;
  /** Refuse what exceeds the limits of the service: length, combinations, complexity. Default false. */
  serviceLimits?: boolean;
  /** Refuse operators that the dialect's documentation does not list. Default false. */
  strict?: boolean;
  /** The state of SNS that is meant. Default `"2026"`. */
  snsVersion?: "2024" | "2026";
}

export type Severity = "error" | "warning" | "note";

/** One finding about a pattern; its range is the place in the pattern that is marked. */
export interface Finding extends Range {
  /** The stable code, such as `E0006`. */
  code: string;
  severity: Severity;
  message: string;
  /** What is to be said of the marked place; may be empty. */
  label: string;
  /** Other places that matter. */
  context: (Range & { message: string })[];
  help: string | null;
  fix: Fix | null;
  /** The service's own wording of the same refusal. */
  service: string | null;
}

/** A change of the pattern that mends a finding; its range is the part to replace. */
export interface Fix extends Range {
  title: string;
  replacement: string;
  /** Whether it may be applied unasked. */
  safe: boolean;
}

/** How much of a limit of the service a pattern takes. */
export interface Usage {
  /** The stable name. */
  limit: string;
  title: string;
  /** Null if counting would take unreasonably long; then it is far above `most`. */
  used: number | null;
  most: number;
  unit: string;
}

/** All that can be said of a pattern without an event. */
export interface Check {
  valid: boolean;
  /** What refuses the pattern or, of a valid one, what is worth knowing. */
  findings: Finding[];
  /** What the service answers to a pattern that is refused, envelope and position included. */
  serviceMessage: string | null;
  /** The pattern as JSON on one line, if it is valid. */
  canonical: string | null;
  /** Empty if the text is no pattern at all. */
  usage: Usage[];
}

/** Why a pattern matches an event, or does not. */
export interface Explanation {
  matched: boolean;
  /** One sentence: the verdict and its main cause. */
  summary: string;
  help: string | null;
  /** How near the event came, in thousandths; 1000 is a match. */
  nearness: number;
  /** The places that the summary speaks of. */
  patternPlace: Range | null;
  eventPlace: Place | null;
  /** The whole pattern as a branch. */
  root: Branch;
}

/** A conjunction: the pattern itself, or one branch of an `$or`. The range is that of its object in the pattern. */
export interface Branch extends Range {
  held: boolean;
  /** Those of nested objects too, with their whole paths. */
  fields: Field[];
  groups: Group[];
  conflicts: Conflict[];
}

/** An `$or`; the range is its list in the pattern. */
export interface Group extends Range {
  held: boolean;
  branches: Branch[];
}

/** A field of the pattern; the range is its list of tests in the pattern. */
export interface Field extends Range {
  /** The keys that lead to it, joined with dots. */
  path: string;
  /** The key in the pattern. */
  key: Range;
  held: boolean;
  /** The later list for the same path that replaces this one. */
  overriddenBy: Range | null;
  tests: (Range & { held: boolean })[];
  /** The first values of the event that were looked at. */
  values: Value[];
  /** How many there are in all. */
  valueCount: number;
  /** Why it failed, nearest first. */
  misses: Miss[];
}

/** A value of the event that was looked at. */
export interface Value {
  place: Place;
  /** Its JSON text, cut if it is long. */
  text: string;
  held: boolean;
  /** Whether it is one of the values that together make the pattern match. */
  chosen: boolean;
  /** The array elements around it, from the outside. */
  elements: { array: string; index: number }[];
}

/** A place in the event. */
export interface Place extends Range {
  /** JSON pointer (RFC 6901). */
  pointer: string;
}

/** Fields that hold one by one, but not in one element of an array. */
export interface Conflict {
  /** The lists in the pattern. */
  ranges: Range[];
  paths: string[];
  message: string;
  help: string | null;
}

/** Why a field failed: what was there instead, or where it is. */
export interface Miss {
  kind: MissKind;
  /** The test that nearly held, if it is one of several. */
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

/** Thrown for a pattern that is refused. The message is the findings as text, with carets. */
export interface PatternError extends Error {
  name: "PatternError";
  findings: Finding[];
  serviceMessage: string;
  /** Of several patterns the place of this one. */
  pattern?: number;
}

/** Thrown for an event that cannot be read. */
export interface EventError extends Error {
  name: "EventError";
  kind: "syntax" | "truncated" | "utf8" | "not-an-object" | "trailing" | "limit" | "foreign";
  /** The unit of the event's text at which the fault was found. */
  offset: number | null;
  /** The limit that was reached, if it was one. */
  limit: string | null;
  /** Of several events the place of this one. */
  event?: number;
}

/** Thrown for patterns that cannot be compiled together. */
export interface BuildError extends Error {
  name: "BuildError";
  /** The place of the pattern to blame, if one is. */
  pattern: number | null;
  limit: string | null;
}

/** A pattern that some events suggest. */
export interface Inferred {
  /** The pattern as JSON text; it matches all the events. */
  pattern: string;
  choices: { path: string; kept: boolean; reason: string }[];
}

/** Where the records of pipes and event source mappings come from. */
export type Source = "sqs" | "kinesis" | "dynamodb" | "kafka" | "mq";

/** What becomes of a message or a record. */
export interface Outcome {
  /** The places of the patterns that match, ascending. */
  matched: number[];
  /** Whether it passes: a pattern matches, or there are no patterns at all. */
  passes: boolean;
  /** Why it does not pass, in words; null if it does. */
  reason: string | null;
  /** The metric of SNS that counts it; null if it passes or is no message. */
  metric: string | null;
}
