// `npx eventrie` is the native command line: the same output and exit status as in its golden files, and as a user's shell
// would run it.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { ROOT } from "../files.mjs";

const CLI = join(ROOT, "wasm", "pkg", "cli.js");
const GOLDEN = join(ROOT, "cli", "tests", "golden");

function run(args, options = {}) {
  const env = { ...process.env, COLUMNS: "100" };
  delete env.CLICOLOR_FORCE;
  delete env.NODE_OPTIONS;
  const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...args], { cwd: ROOT, env, encoding: "utf8", input: "", ...options });
  return { status, stdout, stderr };
}

describe("the golden files of the command line", { concurrency: 2 }, () => {
  const names = readdirSync(GOLDEN).filter((name) => name.endsWith(".txt"));
  assert.ok(names.length > 40, `${names.length} golden files`);
  for (const name of names) {
    test(name, () => {
      const expected = readFileSync(join(GOLDEN, name), "utf8");
      const [first] = expected.split("\n", 1);
      assert.ok(first.startsWith("$ eventrie "), first);
      // Arguments with braces or blanks are between quotes.
      const args = [...first.slice("$ eventrie ".length).matchAll(/'((?:[^']|'(?! |$))*)'(?= |$)|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain);
      // Some tests run where their files are.
      const directory = name.startsWith("events-") ? "envelopes" : name.startsWith("file-") ? "situations" : null;
      const { status, stdout, stderr } = run(args, directory ? { cwd: join(ROOT, "cli", "tests", directory) } : {});
      const shown = `${first}\n${stdout}${stderr ? `--- standard error\n${stderr}` : ""}--- exit status ${status}\n`;
      // Each system has its own numbers for the same error.
      const unnumbered = (text) => text.replace(/\(os error \d+\)/g, "(os error)");
      assert.equal(unnumbered(shown), unnumbered(expected));
    });
  }
});

describe("as a user runs it", () => {
  test("much input does not crash Node", () => {
    const directory = mkdtempSync(join(tmpdir(), "eventrie-cli-"));
    try {
      const note = "x".repeat(1_000);
      const files = Array.from({ length: 24 }, (_, file) => {
        const rows = Array.from({ length: 1_000 }, (_, row) => JSON.stringify({ id: `${file}/${row}`, dialect: "eventbridge", pattern: { a: [row] }, event: { a: row }, expect: "match", note }));
        writeFileSync(join(directory, `${file}.jsonl`), rows.join("\n"));
        return `${file}.jsonl`;
      });
      assert.deepEqual(run(["vectors", ...files], { cwd: directory }), { status: 0, stdout: "24000 passed, 0 failed\n", stderr: "" });
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  test("standard input, and paths that are relative, above, absolute or not there", () => {
    const directory = mkdtempSync(join(tmpdir(), "eventrie-cli-"));
    try {
      const inner = join(directory, "a", "b");
      mkdirSync(inner, { recursive: true });
      writeFileSync(join(directory, "event.json"), '{"detail":{"state":"stopped"}}\n');
      writeFileSync(join(inner, "rule.json"), '{"detail":{"state":["stopped"]}}\n');
      const args = (event) => ["match", "-q", "-p", "rule.json", ...(event ? [event] : [])];
      assert.deepEqual(run(args("../../event.json"), { cwd: inner }), { status: 0, stdout: "", stderr: "" });
      assert.equal(run(args(join(directory, "event.json")), { cwd: inner }).status, 0);
      assert.equal(run(["match", "-q", "-p", "./b/rule.json", "../event.json"], { cwd: join(directory, "a") }).status, 0);
      assert.equal(run(args(), { cwd: inner, input: '{"detail":{"state":"stopped"}}\n' }).status, 0);
      assert.equal(run(args(), { cwd: inner, input: '{"detail":{"state":"x"}}\n' }).status, 1);
      const missing = run(args("../nowhere.json"), { cwd: inner });
      assert.equal(missing.status, 2);
      assert.match(missing.stderr, /\.\.\/nowhere\.json/);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  test("output that is longer than a pipe", () => {
    const { status, stdout } = run(["check", "--format", "json", ...Array(200).fill("cli/tests/data/bad-pattern.json")]);
    assert.ok(stdout.length > 200_000, `${stdout.length} characters`);
    assert.equal(status, 1);
    for (const line of stdout.trim().split("\n")) JSON.parse(line);
  });

  test("all test vectors, which natively run on all cores", () => {
    const files = readdirSync(join(ROOT, "spec-vectors"), { recursive: true, encoding: "utf8" }).filter((name) => /\.jsonl?(?:\.gz)?$/.test(name));
    assert.ok(files.length > 30, `${files.length} files`);
    // One file at a time: the module aborts when a run has read about 30,000 rows at once, which the native program does not.
    for (const name of files) {
      const { status, stdout, stderr } = run(["vectors", join("spec-vectors", name)]);
      assert.equal(status, 0, `${name}: ${stdout.slice(-2_000)}${stderr}`);
    }
  });

  test("by the name that npm gives it", () => {
    const directory = mkdtempSync(join(tmpdir(), "eventrie-npx-"));
    try {
      mkdirSync(join(directory, "node_modules", ".bin"), { recursive: true });
      symlinkSync(join(ROOT, "wasm", "pkg"), join(directory, "node_modules", "eventrie"));
      symlinkSync(join("..", "eventrie", "cli.js"), join(directory, "node_modules", ".bin", "eventrie"));
      const { status, stdout } = spawnSync("npx", ["--no-install", "eventrie", "--version"], { cwd: directory, encoding: "utf8" });
      assert.equal(status, 0);
      assert.match(stdout, /^eventrie \d+\.\d+\.\d+\n$/);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});
