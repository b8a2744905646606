// The parts of the page that need no browser: laying out JSON, links, strings to copy.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, test } from "node:test";
import { createServer } from "vite";
import { ROOT, vectorFiles } from "../files.mjs";
import { rows } from "../vectors.mjs";

const server = await createServer({ root: join(ROOT, "wasm", "www"), configFile: false, logLevel: "error", server: { middlewareMode: true, ws: false, watch: null }, optimizeDeps: { noDiscovery: true } });
after(() => server.close());
const { pretty, several } = await server.ssrLoadModule("/src/json-text.ts");
const { encode, decode } = await server.ssrLoadModule("/src/permalink.ts");
const { FORMS } = await server.ssrLoadModule("/src/copy-as.ts");

const form = (id, state) => FORMS.find((one) => one.id === id).text(state);
const state = (dialect, ...texts) => ({ dialect, source: "sqs", rules: texts.map((text, index) => ({ name: `rule ${index}`, text })), events: ["{}"], rule: 0, event: 0 });

/** The text without whitespace between tokens. */
const tokens = (text) => text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, (_, string) => string ?? "");

/** The deepest nesting of a string, strings left out. */
function depth(text) {
  let [now, most] = [0, 0];
  for (const [char] of text.replace(/"(?:[^"\\]|\\.)*"/g, "").matchAll(/[[{}\]]/g)) most = Math.max(most, (now += char === "[" || char === "{" ? 1 : -1));
  return most;
}

test("layout changes white space and nothing else", () => {
  let laidOut = 0;
  for (const { name, content } of vectorFiles()) {
    for (const row of rows(name, content)) {
      for (const value of [row.pattern, row.event, row]) {
        const text = typeof value === "string" ? value : JSON.stringify(value ?? null);
        let valid = true;
        try {
          JSON.parse(text);
        } catch {
          valid = false;
        }
        const next = pretty(text);
        // Numbers are taken as they come; nothing that JSON accepts is refused.
        if (valid && depth(text) < 900) assert.notEqual(next, null, row.id);
        if (next === null) continue;
        laidOut += 1;
        assert.equal(tokens(next), tokens(text), row.id);
        assert.equal(pretty(next), next, `${row.id}: laid out twice`);
      }
    }
  }
  assert.ok(laidOut > 1_000);
});

test("layout keeps duplicate keys and the spelling of numbers", () => {
  assert.equal(pretty('{"a":1e2,"a":[1.0,{"numeric":[">",5]}],"b":{}}'), '{\n  "a": 1e2,\n  "a": [1.0, { "numeric": [">", 5] }],\n  "b": {}\n}');
  assert.equal(pretty("[".repeat(2_000)), null);
});

test("several values in one text", () => {
  assert.deepEqual(several('{"a":1}\n{"b":2}\n'), ['{"a":1}', '{"b":2}']);
  assert.deepEqual(several('[{"a":1}, {"b":[{}]}]'), ['{"a":1}', '{"b":[{}]}']);
  for (const none of ['{"a":1}', "", "[", "[1]", '{"a":1} x', "[]"]) assert.deepEqual(several(none), [], none);
});

/** A link as the page made it before a subscriber had all its filters in one rule: one scope, chosen like a service. */
test("an old link to one scope of a subscriber opens as a subscriber", async () => {
  const { deflateRawSync } = await import("node:zlib");
  const [pattern, event] = ['{"tier": ["gold"]}', '{"tier": "gold"}'];
  for (const [at, scope] of ["eventsv2-data", "eventsv2-metadata", "eventsv2-system-metadata"].entries()) {
    const old = [scope, "sqs", [["one", pattern], ["two", "{"]], [event], 1, 0];
    const shared = await decode(`#1=${deflateRawSync(JSON.stringify(old)).toString("base64url")}`);
    const filters = (text) => ["", "", ""].with(at, text).join("\0");
    assert.deepEqual(shared, { dialect: "eventsv2", source: "sqs", rules: [{ name: "one", text: filters(pattern) }, { name: "two", text: filters("{") }], events: [event], rule: 1, event: 0 });
    // What it became is what the next link has.
    assert.deepEqual(await decode(await encode(shared)), shared);
  }
});

test("a link holds the whole state, and a broken one holds nothing", async () => {
  const open = { ...state("lambda-esm", '{"body": ["ü😀"]}', "{}"), events: ["{}", "x".repeat(200_000)], rule: 1, event: 1, source: "kafka" };
  const fragment = await encode(open);
  assert.match(fragment, /^#1=[\w-]+$/);
  assert.ok(fragment.length < 2_000, `${fragment.length} characters`);
  assert.deepEqual(await decode(fragment), open);
  for (const broken of ["", "#1=", "#1=AAAA", "#2=AAAA", "#1=%%%", fragment.slice(0, -20), "#answer"]) assert.equal(await decode(broken), null, broken);
  const { deflateRawSync } = await import("node:zlib");
  const link = (value) => `#1=${deflateRawSync(JSON.stringify(value)).toString("base64url")}`;
  assert.equal(await decode(link(["nonsense", "sqs", [["a", "{}"]], ["{}"], 0, 0])), null);
  assert.equal(await decode(link(["pipes", "sqs", [[1, "{}"]], ["{}"], 0, 0])), null);
  assert.equal((await decode(link(["pipes", "sqs", [["a", "{}"]], ["{}"], 7, -1]))).rule, 0);
  const bomb = `#1=${deflateRawSync(Buffer.alloc(40_000_000, 32)).toString("base64url")}`;
  assert.equal(await decode(bomb), null);
});

test("what is copied holds the same pattern", () => {
  const pattern = `{"a": ["it's", "\${x} %{y}"], "n": [1e2]}`;
  const open = state("eventbridge", pattern);
  assert.ok(form("cli", open).includes(`'${pattern.replaceAll("'", "'\\''")}'`));
  const template = JSON.parse(form("cloudformation", open));
  assert.deepEqual(template.Resources.Rule0.Properties.EventPattern, JSON.parse(pattern));
  assert.ok(form("terraform", open).includes("$${x} %%{y}"));
  assert.ok(form("cdk", open).includes(pattern));
});

test("filters are copied together, in the form that each service takes", () => {
  const filters = ['{"body": {"a": ["x\\"y"]}}', '{"body": ["b"]}'];
  for (const dialect of ["pipes", "lambda-esm"]) {
    const { Properties } = Object.values(JSON.parse(form("cloudformation", state(dialect, ...filters))).Resources)[0];
    const { Filters } = (Properties.SourceParameters ?? Properties).FilterCriteria;
    assert.deepEqual(Filters.map(({ Pattern }) => Pattern), filters);
    const shell = /'(.*)'/s.exec(form("cli", state(dialect, ...filters)))[1];
    const given = JSON.parse(shell);
    assert.deepEqual((given.FilterCriteria ?? given).Filters.map(({ Pattern }) => Pattern), filters);
    for (const filter of filters) assert.ok(form("terraform", state(dialect, ...filters)).includes(filter));
  }
  const whole = state("eventsv2", '{"a": ["b"]}\0\0{"aws:Source": ["shop"]}');
  const wanted = [{ Scope: "DATA", Pattern: '{"a": ["b"]}' }, { Scope: "SYSTEM_METADATA", Pattern: '{"aws:Source": ["shop"]}' }];
  const [subscriber] = Object.values(JSON.parse(form("cloudformation", whole)).Resources);
  assert.deepEqual([subscriber.Type, subscriber.Properties.FilterConfiguration.Filters], ["AWS::EventsV2::Subscriber", wanted]);
  assert.deepEqual(JSON.parse(/'(.*)'/s.exec(form("cli", whole))[1]).Filters, wanted);
  for (const { id } of FORMS.filter(({ id }) => id !== "ask")) {
    const text = form(id, whole);
    for (const { Scope, Pattern } of wanted) assert.ok(text.includes(`"${Scope}"`) && (text.includes(Pattern) || text.includes(JSON.stringify(Pattern))), `${id}: ${text}`);
  }
  const [source] = Object.values(JSON.parse(form("cloudformation", state("eventsv2-event-source", '{"a": ["b"]}'))).Resources);
  assert.equal(source.Properties.Configuration.AwsServiceEventsConfiguration.Pattern, '{"a": ["b"]}');
  for (const [dialect, scope] of [["sns-body", "MessageBody"], ["sns-attributes", "MessageAttributes"]]) {
    for (const { id } of FORMS.filter(({ id }) => id !== "ask")) assert.ok(form(id, state(dialect, "{}")).includes(scope), `${dialect} ${id}`);
  }
});
