// The functions and classes of the package: each reads its arguments, calls the module, and names what it gives back.
import * as core from "./core.js";
import { isBytes, isObject, namedOf, optionsOf, pairsOf, refuse, subscriberOptionsOf, textOf } from "./input.js";

let started = false;

/** Starts the module from its bytes, or from what was compiled of them. */
export function begin(module) {
  if (started) return;
  core.initSync({ module });
  started = true;
}

/** As `begin`, from where the module has to be fetched. */
export async function fetched(source) {
  if (started) return;
  await core.default({ module_or_path: source });
  started = true;
}

function need() {
  if (!started) throw new Error("eventrie is not initialized: call `await init()` first");
}

function decode(bytes, parameter) {
  const text = core.decoded(bytes);
  if (text === undefined) throw new TypeError(`${parameter}: the bytes are not valid UTF-8`);
  return text;
}

const SOURCES = ["sqs", "kinesis", "dynamodb", "kafka", "mq"];

function sourceOf(source) {
  if (!SOURCES.includes(source)) refuse("source", SOURCES.map((name) => `"${name}"`).join(", ").replace(/, (?=[^,]*$)/, " or "), source);
  return source;
}

function patternOf(pattern, parameter = "pattern") {
  return pattern instanceof Pattern ? pattern.source : textOf(pattern, parameter, decode);
}

/** An event as text; of bytes that are not UTF-8 the module says where. */
function eventOf(event, parameter) {
  if (!isBytes(event)) return textOf(event, parameter, decode);
  const text = core.decoded(event);
  if (text === undefined) throw core.undecodable(event);
  return text;
}

/** Calls `make`; an error about one of several patterns or subscribers gets the name of that one. */
function naming(keys, make) {
  try {
    return make();
  } catch (error) {
    for (const what of keys ? ["pattern", "subscriber"] : []) {
      if (typeof error?.[what] === "number") error[what] = keys[error[what]] ?? error[what];
    }
    throw error;
  }
}

/** An object that owns memory of the module until it is freed. */
class Handle {
  #core;
  #keys;

  constructor(made, keys = null) {
    this.#core = made;
    this.#keys = keys;
  }

  /** The object of the module. */
  static of(handle) {
    const made = handle.#core;
    if (!made) throw new Error(`this ${handle.constructor.name} was freed: make a new one`);
    return made;
  }

  static named(handle, places) {
    const keys = handle.#keys;
    return keys ? Array.from(places, (place) => keys[place]) : Array.from(places);
  }

  free() {
    this.#core?.free();
    this.#core = null;
  }
}
if (Symbol.dispose) Object.defineProperty(Handle.prototype, Symbol.dispose, { value: Handle.prototype.free, configurable: true, writable: true });

/** Without a tag, an object of the package passed as an event would be read as `{}`. */
function tag(kind, name) {
  Object.defineProperty(kind.prototype, Symbol.toStringTag, { value: name, configurable: true });
}

export function check(pattern, options) {
  need();
  return core.check(patternOf(pattern), optionsOf(options));
}

export class Pattern extends Handle {
  constructor(pattern, options) {
    need();
    super(new core.Pattern(patternOf(pattern), optionsOf(options)));
  }

  get source() {
    return Handle.of(this).source;
  }

  toString() {
    return Handle.of(this).toString();
  }

  /** As an object of JSON, a pattern is its source. */
  toJSON() {
    return JSON.parse(this.source);
  }

  usage() {
    return Handle.of(this).usage();
  }

  lint() {
    return Handle.of(this).lint();
  }

  sample() {
    return Handle.of(this).sample();
  }

  explain(event) {
    return Handle.of(this).explain(eventOf(event, "event"));
  }
}

export class Matcher extends Handle {
  constructor(patterns, options) {
    need();
    const read = optionsOf(options);
    const { keys, texts } = namedOf(patterns, "patterns", patternOf);
    super(naming(keys, () => new core.Matcher(texts, read)), keys);
  }

  matches(event) {
    const made = Handle.of(this);
    return Handle.named(this, isBytes(event) ? made.matchesBytes(event) : made.matches(textOf(event, "event", decode)));
  }

  isMatch(event) {
    const made = Handle.of(this);
    return isBytes(event) ? made.isMatchBytes(event) : made.isMatch(textOf(event, "event", decode));
  }

  get size() {
    return Handle.of(this).size;
  }

  get memoryUsage() {
    return Handle.of(this).memoryUsage;
  }
}

/** Options whose dialect is one of these; the first is the default, if there is one. */
function ofDialect(options, dialects, fallback) {
  const read = optionsOf(options);
  const dialect = read?.dialect ?? fallback;
  if (!dialects.includes(dialect)) refuse("options.dialect", dialects.map((name) => `"${name}"`).join(" or "), dialect);
  return { ...read, dialect };
}

function outcome(handle, judged) {
  judged.matched = Handle.named(handle, judged.matched);
  return judged;
}

export class SnsFilter extends Handle {
  constructor(policies, options) {
    need();
    const read = ofDialect(options, ["sns-attributes", "sns-body"]);
    const { keys, texts } = namedOf(policies, "policies", patternOf);
    super(naming(keys, () => new core.SnsFilter(texts, read)), keys);
  }

  judge(message) {
    return outcome(this, Handle.of(this).judge(eventOf(message, "message")));
  }
}

export class RecordFilter extends Handle {
  constructor(filters, source, options) {
    need();
    const from = sourceOf(source);
    const read = ofDialect(options, ["lambda-esm", "pipes"], "lambda-esm");
    // A whole set as the service's API has it: its filters are a list.
    const whole = isObject(filters) && Array.isArray(filters.Filters);
    const { keys, texts } = namedOf(whole ? [filters] : filters, "filters", patternOf);
    const made = naming(keys, () => new core.RecordFilter(texts, from, read));
    if (keys && made.size !== keys.length) {
      made.free();
      throw new TypeError("filters: a set `{\"Filters\": […]}` cannot be named; pass it in an array");
    }
    super(made, keys);
  }

  judge(record) {
    return outcome(this, Handle.of(this).judge(eventOf(record, "record")));
  }

  asEvent(record) {
    return Handle.of(this).asEvent(eventOf(record, "record"));
  }
}

/** An event of a Custom Event Bus in parts: its data as it was sent, and two maps of strings. */
export class BusEvent {
  #parts;

  constructor(data, parts) {
    const { metadata, systemMetadata, ...rest } = parts === undefined || isObject(parts) ? { ...parts } : refuse("parts", "an object", parts);
    const [unknown] = Object.keys(rest);
    if (unknown !== undefined) throw new TypeError(`parts: unknown part ${JSON.stringify(unknown)}; the parts are metadata, systemMetadata`);
    const bytes = isBytes(data) ? Uint8Array.from(data) : new TextEncoder().encode(textOf(data, "data", decode));
    this.#parts = [bytes, pairsOf(metadata, "parts.metadata"), pairsOf(systemMetadata, "parts.systemMetadata")];
  }

  /** What the module takes; null for what is not an event in parts. */
  static of(event) {
    return typeof event === "object" && event !== null && #parts in event ? event.#parts : null;
  }
}

function configurationOf(configuration, parameter = "configuration") {
  return textOf(configuration, parameter, decode);
}

export class Subscriber extends Handle {
  constructor(configuration, options) {
    need();
    const read = subscriberOptionsOf(options);
    const text = configurationOf(configuration);
    try {
      super(new core.Subscribers([text], read));
    } catch (error) {
      // There is only one.
      delete error.subscriber;
      throw error;
    }
  }

  isMatch(event) {
    const made = Handle.of(this);
    const parts = BusEvent.of(event);
    return (parts ? made.matchesParts(...parts) : made.matches(eventOf(event, "event"))).length > 0;
  }

  explain(event) {
    const made = Handle.of(this);
    const parts = BusEvent.of(event);
    return parts ? made.explainParts(0, ...parts) : made.explain(0, eventOf(event, "event"));
  }

  get filters() {
    return Handle.of(this).filters(0);
  }

  lint() {
    return Handle.of(this).lint(0);
  }

  toString() {
    return Handle.of(this).canonical(0);
  }

  toJSON() {
    return JSON.parse(this.toString());
  }
}

export class SubscriberSet extends Handle {
  constructor(configurations, options) {
    need();
    const read = subscriberOptionsOf(options);
    const { keys, texts } = namedOf(configurations, "configurations", configurationOf, "configuration");
    super(naming(keys, () => new core.Subscribers(texts, read)), keys);
  }

  matches(event) {
    const made = Handle.of(this);
    const parts = BusEvent.of(event);
    return Handle.named(this, parts ? made.matchesParts(...parts) : made.matches(eventOf(event, "event")));
  }

  get size() {
    return Handle.of(this).size;
  }

  get memoryUsage() {
    return Handle.of(this).memoryUsage;
  }
}

for (const [name, kind] of Object.entries({ Pattern, Matcher, SnsFilter, RecordFilter, BusEvent, Subscriber, SubscriberSet })) tag(kind, name);

export function infer(events, options) {
  need();
  const read = optionsOf(options);
  const list = Array.isArray(events) ? Array.from(events, (event, index) => eventOf(event, `events[${index}]`)) : [eventOf(events, "events")];
  if (list.length === 0) throw new TypeError("events: expected at least one event, found an empty array");
  const inferred = core.infer(list, read);
  // An invalid pattern must fail here, not on deployment.
  new core.Pattern(inferred.pattern, read).free();
  return inferred;
}

export function attributesAsEvent(message) {
  need();
  return core.attributesAsEvent(eventOf(message, "message"));
}

export function fate(source) {
  need();
  return core.fate(sourceOf(source));
}
