// The package as Node users get it: what is in it, and that it answers every vector as the library does.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { ROOT, vectorFiles } from "../files.mjs";
import { failures, rows } from "../vectors.mjs";

const PACKAGE = join(ROOT, "wasm", "pkg");
const eventrie = createRequire(import.meta.url)(join(PACKAGE, "eventrie.cjs"));

for (const { name, content } of vectorFiles()) {
  test(`vectors of ${name}`, () => {
    const all = rows(name, content);
    assert.ok(all.length > 0);
    assert.deepEqual(failures(eventrie, all), []);
  });
}

// What a line of the page says in a comment is what it evaluates to.
test("the code of the page on JavaScript is true", () => {
  const page = readFileSync(join(ROOT, "docs", "pages", "start", "javascript.md"), "utf8");
  const code = page.split("```js\n")[1].split("```")[0];
  const said = [];
  const checked = code.replace(/^(.*); \/\/ (.+)$/gm, (_, value, comment) => `compare(${value}, ${comment});`);
  assert.notEqual(checked, code);
  const body = checked.replace(/^import (\{.*\}) from "eventrie";$/m, "const $1 = eventrie;");
  new Function("eventrie", "compare", body)(eventrie, (value, expected) => {
    assert.deepEqual(value, expected);
    said.push(value);
  });
  assert.equal(said.length, 2);
});

test("places are counted as JavaScript counts", () => {
  const pattern = '{"😀é": "x"}';
  const [finding] = eventrie.check(pattern).findings;
  assert.equal(pattern.slice(finding.start, finding.end), '"x"');
  const { start, end, replacement } = finding.fix;
  const mended = pattern.slice(0, start) + replacement + pattern.slice(end);
  assert.equal(eventrie.check(mended).valid, true, mended);
  const event = '{"é": "é", "state": "Läuft"}';
  const explained = new eventrie.Pattern('{"state": ["läuft"]}').explain(event);
  const { place, kind } = explained.root.fields[0].misses[0];
  assert.equal(kind, "letter-case");
  assert.equal(event.slice(place.start, place.end), '"Läuft"');
});

test("what goes wrong is thrown with its details", () => {
  const refused = (make) => {
    try {
      make();
    } catch (error) {
      return error;
    }
    return assert.fail("nothing was thrown");
  };
  const pattern = refused(() => new eventrie.Pattern('{"a": 1}'));
  assert.ok(pattern instanceof Error);
  assert.equal(pattern.name, "PatternError");
  assert.equal(pattern.findings[0].code, "E0006");
  assert.match(pattern.serviceMessage, /^Event pattern is not valid\. Reason: "a" must be an object or an array/);
  assert.equal(refused(() => new eventrie.Matcher(['{"a": [1]}', "{"])).pattern, 1);
  const event = refused(() => new eventrie.Matcher(['{"a": [1]}']).matches('{"é": tru}'));
  assert.equal(event.name, "EventError");
  assert.equal(event.kind, "syntax");
  assert.equal(event.offset, 6);
  const second = refused(() => eventrie.infer(['{"a": 1}', '{"é": tru}']));
  assert.deepEqual([second.event, second.offset], [1, 6]);
  const set = refused(() => new eventrie.RecordFilter(Array(6).fill('{"body": ["x"]}'), "sqs", { dialect: "pipes", serviceLimits: true }));
  assert.ok(/6 filters/.test(set.message) && !("pattern" in set));
  assert.ok(refused(() => eventrie.check("{}", { dialect: "kafka" })) instanceof TypeError);
});

test("samples match, and inferred patterns match what they come from", () => {
  const pattern = new eventrie.Pattern('{"detail": {"n": [{"numeric": [">", 5]}], "s": [{"prefix": "x"}]}}');
  assert.equal(pattern.explain(pattern.sample()).matched, true);
  const events = ['{"source":"shop","detail":{"state":"new"}}', '{"source":"shop","detail":{"state":"paid"}}'];
  const inferred = eventrie.infer(events);
  assert.deepEqual([...new eventrie.Matcher([inferred.pattern]).matches(events[1])], [0]);
  assert.ok(inferred.choices.some((choice) => choice.kept && choice.reason));
});

test("the numbers of the service's limits", () => {
  const { usage } = eventrie.check('{"a": [{"wildcard": "*a*a*a*a*a*"}]}', { serviceLimits: true });
  const complexity = usage.find((one) => one.limit === "wildcard-complexity");
  assert.deepEqual([complexity.used, complexity.most], [11, 10]);
});

test("npm packs what it should and nothing else", () => {
  const listing = JSON.parse(execFileSync("npm", ["pack", "--dry-run", "--json"], { cwd: PACKAGE, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }));
  const packed = Array.isArray(listing) ? listing[0] : Object.values(listing)[0];
  const files = packed.files.map((file) => file.path).sort();
  const expected = [
    ...["LICENSE-APACHE", "LICENSE-MIT", "README.md", "package.json"],
    ...["eventrie.wasm", "module.cjs", "core.js", "api.js", "input.js"],
    ...["eventrie.js", "eventrie.cjs", "eventrie.d.ts", "eventrie.d.cts", "web.js", "web.d.ts"],
    ...["cli.js", "cli.wasm"],
  ].sort();
  assert.deepEqual(files, expected);
});

test("the package resolves by its name, for `require` and for `import`", () => {
  const folder = execFileSync("mktemp", ["-d"], { encoding: "utf8" }).trim();
  execFileSync("mkdir", ["-p", join(folder, "node_modules")]);
  execFileSync("ln", ["-s", PACKAGE, join(folder, "node_modules", "eventrie")]);
  const script = "import { check } from 'eventrie'; console.log(check('{\"a\": [1]}').valid)";
  const asModule = execFileSync(process.execPath, ["--input-type=module", "-e", script], { cwd: folder, encoding: "utf8" });
  assert.equal(asModule.trim(), "true");
  const required = execFileSync(process.execPath, ["-e", "console.log(require('eventrie').check('{').valid)"], { cwd: folder, encoding: "utf8" });
  assert.equal(required.trim(), "false");
  execFileSync("rm", ["-r", folder]);
});
