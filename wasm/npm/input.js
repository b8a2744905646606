// Turns what callers pass into the JSON text that the module reads; throws a `TypeError` that names the parameter for the rest.

/** What a value is called in a message. */
function described(value) {
  switch (typeof value) {
    case "undefined":
      return "undefined";
    case "string":
      return `the string ${quoted(value)}`;
    case "number":
    case "boolean":
      return `the ${typeof value} ${value}`;
    case "bigint":
      return `the bigint ${value}n`;
    case "symbol":
      return "a symbol";
    case "function":
      return /^class\b/.test(Function.prototype.toString.call(value)) ? "a class" : "a function";
    default:
  }
  if (value === null) return "null";
  const kind = tagOf(value);
  return `${/^[AEIO]/.test(kind) ? "an" : "a"} ${kind}${HINTS[kind] ?? ""}`;
}

const HINTS = {
  Promise: " (use `await` first)",
  ArrayBuffer: " (pass `new Uint8Array(buffer)`)",
  SharedArrayBuffer: " (pass `new Uint8Array(buffer)`)",
  Map: " (use `Object.fromEntries(map)`)",
  Response: " (pass `await response.text()`)",
  Request: " (pass `await request.text()`)",
  String: " object (use a plain string)",
};

function quoted(text) {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 40)}…${text.slice(-15)}` : text);
}

/** The class of a built-in object, even of another realm; `Object` for plain objects and instances of classes. */
function tagOf(value) {
  return Object.prototype.toString.call(value).slice(8, -1);
}

/** Fails with a `TypeError` that says what was expected of which parameter, and what was passed. */
export function refuse(parameter, expected, value) {
  throw new TypeError(`${parameter}: expected ${expected}, found ${described(value)}`);
}

export function isBytes(value) {
  return ArrayBuffer.isView(value) && tagOf(value) === "Uint8Array";
}

/** Whether it is an object that can be written as JSON: plain, or an instance of a class without a tag of its own. */
export function isObject(value) {
  return typeof value === "object" && value !== null && tagOf(value) === "Object";
}

const ANY = "a string, an object, or a Uint8Array";

/** A pattern, an event, a message or a record as text. `decode` reads UTF-8, and throws for what is none. */
export function textOf(value, parameter, decode) {
  if (typeof value === "string") return value;
  if (isBytes(value)) return decode(value, parameter);
  if (!isObject(value) && !Array.isArray(value)) refuse(parameter, ANY, value);
  let text;
  try {
    text = JSON.stringify(value);
  } catch (error) {
    throw new TypeError(`${parameter}: cannot be written as JSON: ${error instanceof Error ? error.message.split("\n", 1)[0] : String(error)}`, { cause: error });
  }
  if (typeof text !== "string") throw new TypeError(`${parameter}: cannot be written as JSON: \`toJSON\` returns undefined`);
  return text;
}

const KNOWN = {
  dialect: "string",
  serviceLimits: "boolean",
  strict: "boolean",
  snsVersion: "string",
  engine: "string",
};
/** The options of subscribers, whose filters name their dialects themselves. */
const OF_SUBSCRIBERS = { serviceLimits: "boolean", strict: "boolean", entry: "object" };
const ENTRY = { id: "string", account: "string", region: "string", time: "string" };

/** An object whose members are all known and of the type that they must have. */
function membersOf(value, parameter, known, noun) {
  if (value === undefined || value === null) return undefined;
  if (!isObject(value)) refuse(parameter, "an object", value);
  for (const [name, member] of Object.entries(value)) {
    const type = Object.hasOwn(known, name) ? known[name] : undefined;
    if (type === undefined) throw new TypeError(`${parameter}: unknown ${noun} ${quoted(name)}; the ${noun}s are ${Object.keys(known).join(", ")}`);
    if (member !== undefined && type !== "object" && typeof member !== type) refuse(`${parameter}.${name}`, `a ${type}`, member);
  }
  return value;
}

/** Options, each of the type that it must have. */
export function optionsOf(options) {
  return membersOf(options, "options", KNOWN, "option");
}

/** The options of subscribers. */
export function subscriberOptionsOf(options) {
  const read = membersOf(options, "options", OF_SUBSCRIBERS, "option");
  if (read?.entry !== undefined) membersOf(read.entry ?? refuse("options.entry", "an object", read.entry), "options.entry", ENTRY, "field");
  return read;
}

/** A map of strings as keys and values in turn. */
export function pairsOf(map, parameter) {
  if (map === undefined) return [];
  const isMap = typeof map === "object" && map !== null && tagOf(map) === "Map";
  if (!isMap && !isObject(map)) refuse(parameter, "an object or a Map of strings", map);
  return (isMap ? [...map] : Object.entries(map)).flatMap(([key, value]) => {
    if (typeof key !== "string") refuse(`${parameter}: a key`, "a string", key);
    if (typeof value !== "string") refuse(`${parameter}[${quoted(key)}]`, "a string", value);
    return [key, value];
  });
}

/**
 * Patterns and what each is called: the keys of an object or of a `Map`; null for a list, where positions are the names.
 * `one` reads a pattern.
 */
export function namedOf(patterns, parameter, one, noun = "pattern") {
  const expected = `an array of ${noun}s, or an object or Map of named ${noun}s`;
  if (Array.isArray(patterns)) {
    // `Array.from` visits holes too.
    return { keys: null, texts: Array.from(patterns, (pattern, index) => one(pattern, `${parameter}[${index}]`)) };
  }
  if (tagOf(patterns) === "Map") {
    const entries = [...patterns];
    return { keys: entries.map(([key]) => key), texts: entries.map(([key, pattern]) => one(pattern, `${parameter}.get(${typeof key === "string" ? quoted(key) : String(key)})`)) };
  }
  if (!isObject(patterns)) {
    const hint = typeof patterns === "string" || isBytes(patterns) ? `; put a single ${noun} in an array` : "";
    throw new TypeError(`${parameter}: expected ${expected}, found ${described(patterns)}${hint}`);
  }
  const entries = Object.entries(patterns);
  for (const [name, pattern] of entries) {
    if (Array.isArray(pattern)) throw new TypeError(`${parameter}: ${quoted(name)} is an array, not a ${noun}; put a single ${noun} in an array, or name it: { name: ${noun} }`);
  }
  return { keys: entries.map(([name]) => name), texts: entries.map(([name, pattern]) => one(pattern, `${parameter}[${quoted(name)}]`)) };
}
