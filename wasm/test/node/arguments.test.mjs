// Every entry point with wrong values: each is refused with a `TypeError` that names the parameter; nothing else happens.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { join } from "node:path";
import { describe, test } from "node:test";
import { createContext, runInContext } from "node:vm";
import { ROOT } from "../files.mjs";

const PACKAGE = join(ROOT, "wasm", "pkg");
const eventrie = await import(join(PACKAGE, "eventrie.js"));
const { attributesAsEvent, BusEvent, check, fate, infer, Matcher, Pattern, RecordFilter, SnsFilter, Subscriber, SubscriberSet } = eventrie;

const circular = {};
circular.self = circular;

/** What people pass by mistake, and what is said to be found. */
const WRONG = {
  undefined: [undefined, /found undefined/],
  null: [null, /found null/],
  "a number": [42, /found the number 42/],
  NaN: [NaN, /found the number NaN/],
  "a boolean": [true, /found the boolean true/],
  "a bigint": [10n, /found the bigint 10n/],
  "a symbol": [Symbol("x"), /found a symbol/],
  "a function": [() => "{}", /found a function/],
  "a class": [class Event {}, /found a class/],
  "a date": [new Date(0), /found a Date/],
  "a regular expression": [/x/, /found a RegExp/],
  "a set": [new Set(["{}"]), /found a Set/],
  "a promise": [Promise.resolve("{}"), /found a Promise \(use `await` first\)/],
  "an error": [new Error("x"), /found an Error/],
  "an array buffer": [new ArrayBuffer(8), /found an ArrayBuffer \(pass `new Uint8Array\(buffer\)`\)/],
  "16-bit integers": [new Uint16Array(4), /found a Uint16Array/],
  "a data view": [new DataView(new ArrayBuffer(8)), /found a DataView/],
  "a boxed string": [new String("{}"), /found a String object/],
  "a weak map": [new WeakMap(), /found a WeakMap/],
  "a generator": [(function* () {})(), /found a Generator/],
  "a response": [new Response("{}"), /found a Response/],
  "a url": [new URL("file:///x"), /found a URL/],
  "an object with itself inside": [circular, /cannot be written as JSON: .*circular/i],
  "an object with a bigint inside": [{ a: [1n] }, /cannot be written as JSON: .*BigInt/],
  "an object whose toJSON fails": [{ toJSON: () => { throw new Error("no"); } }, /cannot be written as JSON: no/],
  "an object whose toJSON gives nothing": [{ toJSON: () => undefined }, /cannot be written as JSON: `toJSON` returns undefined/],
  "bytes that are not UTF-8": [new Uint8Array([123, 255, 125]), /not valid UTF-8|valid UTF-8/],
  "a matcher": [new Matcher([]), /found a Matcher/],
};

const pattern = new Pattern('{"a": [1]}');
const matcher = new Matcher(['{"a": [1]}']);
const sns = new SnsFilter(['{"a": ["1"]}'], { dialect: "sns-attributes" });
const records = new RecordFilter(['{"body": ["x"]}'], "sqs", { dialect: "pipes" });
const FILTERS = { Filters: [{ Scope: "DATA", Pattern: '{"a": [1]}' }] };
const subscriber = new Subscriber(FILTERS);
const subscribers = new SubscriberSet([FILTERS]);

/** The parameters that take a pattern or an event. */
const PLACES = {
  "check(pattern)": ["pattern", (value) => check(value)],
  "new Pattern(pattern)": ["pattern", (value) => new Pattern(value)],
  "pattern.explain(event)": ["event", (value) => pattern.explain(value)],
  "new Matcher([pattern])": ["patterns[1]", (value) => new Matcher(["{}", value].slice(0, 2).map((one, at) => (at === 0 ? '{"a": [1]}' : one)))],
  "new Matcher({name: pattern})": ['patterns["late"]', (value) => new Matcher({ ok: '{"a": [1]}', late: value })],
  "new Matcher(Map)": ['patterns.get("late")', (value) => new Matcher(new Map([["late", value]]))],
  "matcher.matches(event)": ["event", (value) => matcher.matches(value)],
  "matcher.isMatch(event)": ["event", (value) => matcher.isMatch(value)],
  "new SnsFilter([policy])": ["policies[0]", (value) => new SnsFilter([value], { dialect: "sns-body" })],
  "sns.judge(message)": ["message", (value) => sns.judge(value)],
  "new RecordFilter([filter])": ["filters[0]", (value) => new RecordFilter([value], "sqs")],
  "records.judge(record)": ["record", (value) => records.judge(value)],
  "records.asEvent(record)": ["record", (value) => records.asEvent(value)],
  "infer([event])": ["events[1]", (value) => infer([{ a: 1 }, value])],
  "infer(event)": ["events", (value) => infer(value)],
  "new Subscriber(configuration)": ["configuration", (value) => new Subscriber(value)],
  "subscriber.isMatch(event)": ["event", (value) => subscriber.isMatch(value)],
  "subscriber.explain(event)": ["event", (value) => subscriber.explain(value)],
  "new SubscriberSet([configuration])": ["configurations[1]", (value) => new SubscriberSet([FILTERS, value])],
  "new SubscriberSet({name: configuration})": ['configurations["late"]', (value) => new SubscriberSet({ ok: FILTERS, late: value })],
  "subscribers.matches(event)": ["event", (value) => subscribers.matches(value)],
  "new BusEvent(data)": ["data", (value) => new BusEvent(value)],
  "attributesAsEvent(message)": ["message", (value) => attributesAsEvent(value)],
};

describe("wrong values", () => {
  for (const [place, [parameter, call]] of Object.entries(PLACES)) {
    test(`${place}: ${Object.keys(WRONG).length} wrong values`, () => {
      for (const [what, [value, said]] of Object.entries(WRONG)) {
        // The data of an event in parts need not be text.
        if (place === "new BusEvent(data)" && what.startsWith("bytes")) continue;
        try {
          const got = call(value);
          assert.fail(`${place} accepts ${what}: ${JSON.stringify(got)}`);
        } catch (error) {
          // Of an event's bytes the module itself says what is wrong with them.
          if (what.startsWith("bytes") && error.name === "EventError") assert.equal(error.kind, "utf8");
          else {
            assert.ok(error instanceof TypeError, `${place}, ${what}: ${error.stack}`);
            assert.ok(error.message.startsWith(`${parameter}: `), `${place}, ${what}: ${error.message}`);
          }
          assert.match(error.message, said, `${place}, ${what}`);
        }
      }
    });
  }

  test("lists of patterns and policies", () => {
    const lists = { patterns: (value) => new Matcher(value), policies: (value) => new SnsFilter(value, { dialect: "sns-body" }), filters: (value) => new RecordFilter(value, "sqs") };
    for (const [parameter, make] of Object.entries(lists)) {
      for (const [what, [value]] of Object.entries(WRONG)) {
        if (what.startsWith("an object")) continue;
        assert.throws(() => make(value), (error) => error instanceof TypeError && error.message.startsWith(`${parameter}: expected an array of patterns`), `${parameter}, ${what}`);
      }
      assert.throws(() => make('{"a": [1]}'), /put a single pattern in an array$/);
      // The fields of one pattern are arrays, which no pattern is.
      assert.throws(() => make({ source: ["shop"], detail: { a: [1] } }), new RegExp(`^TypeError: ${parameter}: "source" is an array, not a pattern`));
      const sparse = ['{"a": ["1"]}'];
      sparse[2] = '{"a": ["1"]}';
      assert.throws(() => make(sparse), new RegExp(`^TypeError: ${parameter}\\[1\\]: .*found undefined`));
    }
  });

  test("options", () => {
    const calls = [(options) => check("{}", options), (options) => new Pattern('{"a": [1]}', options), (options) => new Matcher([], options), (options) => new SnsFilter([], options), (options) => new RecordFilter([], "sqs", options), (options) => infer(["{}"], options)];
    for (const call of calls) {
      for (const value of ["pipes", 1, true, Symbol("x"), () => {}, [], new Map(), new Date(0), Promise.resolve({})]) {
        assert.throws(() => call(value), (error) => error instanceof TypeError && error.message.startsWith("options: expected an object, found "));
      }
      for (const value of [1, true, {}, [], null, Symbol("x"), () => {}]) {
        assert.throws(() => call({ dialect: value }), (error) => error instanceof TypeError && error.message.startsWith("options.dialect: expected a string, found "));
        if (typeof value !== "boolean") assert.throws(() => call({ strict: value }), (error) => error instanceof TypeError && error.message.startsWith("options.strict: expected a boolean, found "));
      }
      assert.throws(() => call({ dialekt: "pipes" }), /^TypeError: options: unknown option "dialekt"; the options are dialect, serviceLimits, strict, snsVersion, engine$/);
      assert.throws(() => call({ dialect: "kafka" }), TypeError);
      assert.throws(() => call({ snsVersion: "1999" }), TypeError);
      assert.throws(() => call({ engine: "1999" }), TypeError);
    }
    assert.equal(check({ a: [1] }, null).valid, true);
    assert.equal(check({ a: [1] }, { dialect: undefined }).valid, true);
  });

  test("lists of configurations, options of subscribers and parts of events", () => {
    for (const [what, [value]] of Object.entries(WRONG)) {
      if (!what.startsWith("an object")) assert.throws(() => new SubscriberSet(value), (error) => error instanceof TypeError && error.message.startsWith("configurations: expected an array of configurations"), what);
      if (value === undefined) continue;
      for (const name of ["metadata", "systemMetadata"]) {
        assert.throws(() => new BusEvent("{}", { [name]: { key: value } }), (error) => error instanceof TypeError && error.message.startsWith(`parts.${name}["key"]: expected a string, found `), what);
        if (what.startsWith("an object")) continue;
        assert.throws(() => new BusEvent("{}", { [name]: value }), (error) => error instanceof TypeError && error.message.startsWith(`parts.${name}: expected an object or a Map of strings, found `), what);
      }
      if (!what.startsWith("an object") && value !== null) {
        for (const make of [(options) => new Subscriber(FILTERS, options), (options) => new SubscriberSet([FILTERS], options)]) {
          assert.throws(() => make(value), (error) => error instanceof TypeError && error.message.startsWith("options: expected an object, found "), what);
          assert.throws(() => make({ entry: value }), (error) => error instanceof TypeError && error.message.startsWith("options.entry: expected an object, found "), what);
        }
        assert.throws(() => new BusEvent("{}", value), (error) => error instanceof TypeError && error.message.startsWith("parts: expected an object, found "), what);
      }
      if (typeof value !== "string") assert.throws(() => new Subscriber(FILTERS, { entry: { region: value } }), (error) => error instanceof TypeError && error.message.startsWith("options.entry.region: expected a string, found "), what);
    }
    assert.throws(() => new Subscriber(FILTERS, { entry: null }), /^TypeError: options\.entry: expected an object, found null$/);
    assert.throws(() => new Subscriber(FILTERS, { dialect: "eventsv2-data" }), /^TypeError: options: unknown option "dialect"; the options are serviceLimits, strict, entry$/);
    assert.throws(() => new Subscriber(FILTERS, { entry: { owner: "1" } }), /^TypeError: options\.entry: unknown field "owner"; the fields are id, account, region, time$/);
    assert.throws(() => new BusEvent("{}", { meta: {} }), /^TypeError: parts: unknown part "meta"; the parts are metadata, systemMetadata$/);
    assert.throws(() => new SubscriberSet(JSON.stringify(FILTERS)), /put a single configuration in an array$/);
  });

  test("dialects of policies and filters", () => {
    for (const options of [undefined, {}, { dialect: "eventbridge" }]) assert.throws(() => new SnsFilter([], options), /^TypeError: options\.dialect: expected "sns-attributes" or "sns-body", found /);
    assert.throws(() => new RecordFilter([], "sqs", { dialect: "sns-body" }), /^TypeError: options\.dialect: expected "lambda-esm" or "pipes", found the string "sns-body"$/);
  });

  test("sources of records", () => {
    for (const value of [undefined, null, 1, {}, [], "SQS", "s3", Symbol("x")]) {
      assert.throws(() => fate(value), /^TypeError: source: expected "sqs", "kinesis", "dynamodb", "kafka" or "mq", found /);
      assert.throws(() => new RecordFilter([], value), /^TypeError: source: expected /);
    }
  });
});

describe("accepted values", () => {
  const event = { source: "shop", detail: { total: 120, "ü": "😀" } };
  const rule = { source: ["shop"], detail: { total: [{ numeric: [">", 100] }] } };
  const other = runInContext("({ source: 'shop', detail: { total: 120 } })", createContext({}));
  const forms = (value) => [value, JSON.stringify(value), Buffer.from(JSON.stringify(value)), new TextEncoder().encode(JSON.stringify(value)), Object.assign(Object.create(null), value), new (class Order { constructor() { Object.assign(this, value); } })()];

  test("strings, objects and bytes answer alike", () => {
    for (const one of [...forms(rule), new Pattern(rule)]) {
      assert.equal(check(one).valid, true);
      const made = new Matcher([one]);
      for (const input of [...forms(event), other]) {
        assert.deepEqual(made.matches(input), [0]);
        assert.equal(made.isMatch(input), true);
        assert.equal(new Pattern(one).explain(input).matched, true);
      }
      made.free();
    }
    assert.equal(infer(event).pattern, infer([JSON.stringify(event)]).pattern);
  });

  test("names come back", () => {
    const named = new Matcher({ large: rule, none: { source: ["x"] }, all: { source: [{ exists: true }] } });
    assert.deepEqual(named.matches(event), ["large", "all"]);
    assert.equal(named.size, 3);
    const key = { id: 7 };
    assert.deepEqual(new Matcher(new Map([[key, rule], [Symbol.iterator, rule]])).matches(event), [key, Symbol.iterator]);
    assert.deepEqual(new SnsFilter({ a: { total: [120] }, b: { total: [1] } }, { dialect: "sns-body" }).judge({ Message: '{"total": 120}' }).matched, ["a"]);
    assert.deepEqual(new RecordFilter({ x: { body: ["x"] }, y: { body: ["y"] } }, "sqs").judge({ body: "y" }).matched, ["y"]);
    assert.throws(() => new Matcher({ ok: rule, bad: '{"a": 1}' }), (error) => error.name === "PatternError" && error.pattern === "bad");
    // An odd name is a name like any other.
    assert.deepEqual(new Matcher(JSON.parse('{"__proto__": {"source": ["shop"]}}')).matches(event), ["__proto__"]);
  });

  test("filter criteria as the API has them", () => {
    const Filters = [{ Pattern: '{"body": ["x"]}' }, { Pattern: '{"body": ["y"]}' }];
    assert.deepEqual(new RecordFilter({ Filters }, "sqs").judge({ body: "y" }).matched, [1]);
    assert.deepEqual(new RecordFilter([JSON.stringify({ Filters })], "sqs").judge({ body: "y" }).matched, [1]);
    assert.throws(() => new RecordFilter({ a: { Filters } }, "sqs"), /cannot be named/);
  });

  test("bytes that are not UTF-8 are an error with a place", () => {
    const bytes = Buffer.concat([Buffer.from('{"ü": "'), Buffer.from([0xff]), Buffer.from('"}')]);
    for (const call of [() => matcher.matches(bytes), () => matcher.isMatch(bytes), () => pattern.explain(bytes), () => infer([bytes]), () => records.judge(bytes)]) {
      assert.throws(call, (error) => error.name === "EventError" && error.kind === "utf8" && error.offset === 7);
    }
  });

  test("an inferred pattern is valid and matches, or there is an error", () => {
    const events = [{}, { a: {} }, { a: [] }, { a: [{}] }, { a: null }, { "": 1 }, { "$or": [1] }, { a: { b: [[]] } }, { a: 1e400 }, { a: "x".repeat(5_000) }, { source: ["x"] }, { a: 12345678901234567890 }];
    for (const one of events) {
      for (const dialect of ["eventbridge", "pipes", "lambda-esm", "sns-attributes", "sns-body"]) {
        let inferred;
        try {
          inferred = infer([one], { dialect });
        } catch (error) {
          assert.ok(["EventError", "PatternError", "Error"].includes(error.name), error.stack);
          continue;
        }
        assert.equal(check(inferred.pattern, { dialect }).valid, true, `${JSON.stringify(one)}: ${inferred.pattern}`);
        assert.equal(new Pattern(inferred.pattern, { dialect }).explain(one).matched, true, `${JSON.stringify(one)}: ${inferred.pattern}`);
      }
    }
    assert.throws(() => infer([]), /^TypeError: events: expected at least one event/);
  });
});

describe("after `free`", () => {
  test("every method says so", () => {
    const made = {
      Pattern: [new Pattern('{"a": [1]}'), [(one) => one.source, (one) => one.toString(), (one) => one.usage(), (one) => one.lint(), (one) => one.sample(), (one) => one.explain("{}")]],
      Matcher: [new Matcher(['{"a": [1]}']), [(one) => one.matches("{}"), (one) => one.isMatch(Buffer.from("{}")), (one) => one.size, (one) => one.memoryUsage]],
      SnsFilter: [new SnsFilter(['{"a": ["1"]}'], { dialect: "sns-body" }), [(one) => one.judge({ Message: "{}" })]],
      RecordFilter: [new RecordFilter([], "mq"), [(one) => one.judge("{}"), (one) => one.asEvent("{}")]],
      Subscriber: [new Subscriber(FILTERS), [(one) => one.filters, (one) => one.isMatch("{}"), (one) => one.explain("{}"), (one) => one.lint(), (one) => one.toString(), (one) => one.toJSON()]],
      SubscriberSet: [new SubscriberSet([FILTERS]), [(one) => one.matches("{}"), (one) => one.size, (one) => one.memoryUsage]],
    };
    for (const [name, [one, calls]] of Object.entries(made)) {
      for (const call of calls) assert.doesNotThrow(() => { try { call(one); } catch (error) { if (error.name !== "EventError") throw error; } });
      one.free();
      one.free();
      for (const call of calls) assert.throws(() => call(one), { name: "Error", message: `this ${name} was freed: make a new one` });
    }
  });

  test("`using` frees", { skip: Symbol.dispose ? false : "this Node has no Symbol.dispose" }, () => {
    const one = new Matcher([]);
    one[Symbol.dispose]();
    assert.throws(() => one.size, /was freed/);
  });
});

test("CommonJS and modules have the same names", () => {
  const required = createRequire(import.meta.url)(join(PACKAGE, "eventrie.cjs"));
  assert.deepEqual(Object.keys(required).sort(), Object.keys(eventrie).sort());
  assert.deepEqual(new required.Matcher({ a: { b: [1] } }).matches({ b: 1 }), ["a"]);
});
