// Runs `action.yml` as GitHub does: its steps in bash, one after another, with the inputs and files that a runner provides. Then
// checks what people would see: annotations at their places, the log for code scanning, and whether the job fails.
//
//     node .ci/action.mjs DIRECTORY_OF_EVENTRIE [DIRECTORY_OF_WHEELS]
//
// Without wheels the step that installs the package is left out.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";

const [programs, wheels] = process.argv.slice(2).map((path) => resolve(path));
const ACTION = parse(readFileSync(join(dirname(dirname(fileURLToPath(import.meta.url))), "action.yml"), "utf8"));

/** A string with its expressions replaced. Those of the action are inputs and nothing else. */
function evaluated(text, inputs) {
  return text.replace(/\$\{\{\s*(.*?)\s*\}\}/g, (_, expression) => {
    const name = /^inputs\.(\w+)$/.exec(expression)?.[1];
    assert.ok(name && name in inputs, `cannot evaluate ${expression}`);
    return inputs[name];
  });
}

function applies(condition, inputs) {
  const [, name, sign, value] = /^inputs\.(\w+) (==|!=) '([^']*)'$/.exec(condition) ?? [];
  assert.ok(name && name in inputs, `cannot evaluate ${condition}`);
  return (inputs[name] === value) === (sign === "==");
}

/** Runs the action in a directory; what each step printed, and how it ended. */
function run(directory, given, environment = {}) {
  const defaults = Object.fromEntries(Object.entries(ACTION.inputs).map(([name, input]) => [name, input.default ?? ""]));
  for (const name of Object.keys(given)) assert.ok(name in defaults, `the action has no input ${name}`);
  const inputs = { ...defaults, ...given };
  const temporary = mkdtempSync(join(tmpdir(), "eventrie-runner-"));
  const files = Object.fromEntries(["GITHUB_PATH", "GITHUB_ENV", "GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY"].map((name) => [name, join(temporary, name)]));
  for (const file of Object.values(files)) writeFileSync(file, "");
  let path = process.env.PATH;
  if (inputs.version === "installed") path = `${programs}:${path}`;
  const steps = [];
  try {
    for (const [index, step] of ACTION.runs.steps.entries()) {
      assert.equal(step.shell, "bash", `${step.name}: a step of a composite action names its shell`);
      if (step.if && !applies(step.if, inputs)) continue;
      const script = join(temporary, `${index}.sh`);
      writeFileSync(script, evaluated(step.run, inputs));
      const own = Object.fromEntries(Object.entries(step.env ?? {}).map(([name, text]) => [name, evaluated(text, inputs)]));
      const env = { PATH: path, HOME: temporary, LANG: "C.UTF-8", CI: "true", GITHUB_ACTIONS: "true", GITHUB_WORKSPACE: directory, RUNNER_TEMP: temporary, ...files, ...environment, ...own };
      const { status, stdout, stderr } = spawnSync("bash", ["--noprofile", "--norc", "-eo", "pipefail", script], { cwd: directory, env, encoding: "utf8" });
      steps.push({ name: step.name, status, stdout, stderr });
      if (status !== 0) break;
      for (const line of readFileSync(files.GITHUB_PATH, "utf8").split("\n").filter(Boolean)) path = `${line}:${path}`;
      writeFileSync(files.GITHUB_PATH, "");
    }
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
  return steps;
}

const decoded = (text) => text.replace(/%(0D|0A|3A|2C|25)/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));

/** The annotations in an output, as a runner reads them. */
function annotations(output) {
  return output.split("\n").flatMap((line) => {
    const [, level, properties, message] = /^::(error|warning|notice) ([^:]*)::(.*)$/.exec(line) ?? [];
    if (!level) return [];
    const read = Object.fromEntries(properties.split(",").map((pair) => [pair.slice(0, pair.indexOf("=")), decoded(pair.slice(pair.indexOf("=") + 1))]));
    return [{ level, message: decoded(message), ...read }];
  });
}

const FILES = {
  "rules/bad.json": '{"source": ["aws.ec2"],\n "detail": {"état": "stopped"}}\n',
  "rules/good.json": '{"source": ["shop"], "detail": {"total": [1]}}\n',
  "rules/also-good.json": `{"source": ["shop"], "detail-type": ["Order"]}\n`,
  "template, one.yaml": "Resources:\n  R:\n    Type: AWS::Events::Rule\n    Properties:\n      EventPattern:\n        source: [shop]\n        detail:\n          key: [a*b]\n",
  "package.json": '{"name": "x", "scripts": {"a": "b"}}\n',
};

const directory = mkdtempSync(join(tmpdir(), "eventrie-action-"));
try {
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), text);
  }
  const names = (steps) => steps.map(({ name, status }) => `${name} ${status}`);

  const bad = run(directory, { version: "installed", sarif: "out.sarif" });
  assert.deepEqual(names(bad), ["Write SARIF 0", "Check 1"], JSON.stringify(bad));
  const shown = annotations(bad[1].stdout);
  assert.deepEqual(shown.map(({ level, file, title }) => `${level} ${file} ${title}`).sort(), ["error rules/bad.json E0006", "warning template, one.yaml W0005"].sort());
  for (const { file, line, col, endLine, endColumn } of shown) {
    assert.equal(line, endLine);
    const marked = Array.from(FILES[file].split("\n")[line - 1]).slice(col - 1, endColumn - 1).join("");
    assert.equal(marked, { "rules/bad.json": '"stopped"', "template, one.yaml": "a*b" }[file]);
  }
  const log = JSON.parse(readFileSync(join(directory, "out.sarif"), "utf8"));
  const results = log.runs[0].results.map(({ ruleId, locations }) => `${decodeURIComponent(locations[0].physicalLocation.artifactLocation.uri)} ${ruleId}`);
  assert.equal(log.version, "2.1.0");
  assert.deepEqual(results.sort(), shown.map(({ file, title }) => `${file} ${title}`).sort());

  // What is right passes, with several paths and options; no word is run or expanded.
  assert.deepEqual(names(run(directory, { version: "installed", paths: "rules/good.json rules/also-good.json", args: "--level note --select E" })), ["Check 0"]);
  const odd = run(directory, { version: "installed", paths: "$(touch${IFS}ran) *", sarif: "odd.sarif" });
  assert.deepEqual(names(odd), ["Write SARIF 1"], "a path that is not there is a failure, not a finding");
  assert.ok(!existsSync(join(directory, "ran")));
  assert.match(odd[0].stderr, /cannot read \$\(touch\$\{IFS\}ran\)/);

  if (wheels) {
    // As from the index of packages, but from a directory.
    for (const version of ["latest", "0.1.0"]) {
      const installed = run(directory, { version, paths: "rules" }, { PIP_NO_INDEX: "1", PIP_FIND_LINKS: wheels });
      assert.deepEqual(names(installed), ["Install 0", "Check 1"], JSON.stringify(installed));
      assert.equal(annotations(installed[1].stdout).length, 1);
    }
    assert.deepEqual(names(run(directory, { version: "99.0.0" }, { PIP_NO_INDEX: "1", PIP_FIND_LINKS: wheels })), ["Install 1"]);
  }
  console.log(`action.yml: ${shown.length} annotations, ${results.length} results; ${wheels ? "installed from a wheel" : "the step that installs was left out"}`);
} finally {
  rmSync(directory, { recursive: true, force: true });
}
