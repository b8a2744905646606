// The package through bundlers, without any configuration for WebAssembly: what comes out is one file that answers,
// alone in an empty directory, in Node (as a Lambda handler would run) and in a browser.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import { nodeResolve } from "@rollup/plugin-node-resolve";
import * as esbuild from "esbuild";
import { rolldown } from "rolldown";
import { rollup } from "rollup";
import * as vite from "vite";
import webpack from "webpack";
import { launch, serveDirectory } from "../browser/harness.mjs";
import { ROOT } from "../files.mjs";

const PACKAGE = join(ROOT, "wasm", "pkg");

/** A Lambda function: compiles its rules when it is loaded, answers when it is called. */
const HANDLER = `import { Matcher } from "eventrie";
const matcher = new Matcher({ large: { detail: { total: [{ numeric: [">", 100] }] } }, other: { source: ["x"] } });
export const handler = async (event) => ({ matched: matcher.matches(event) });
`;
const REQUIRED = HANDLER.replace('import { Matcher } from "eventrie"', 'const { Matcher } = require("eventrie")').replace("export const handler", "exports.handler");
const PAGE = `import { Matcher } from "eventrie";
document.title = new Matcher({ large: { detail: { total: [{ numeric: [">", 100] }] } } }).matches({ detail: { total: 101 } }).join();
`;
const WEB = `import init, { Matcher } from "eventrie/web";
await init();
document.title = new Matcher({ large: { detail: { total: [{ numeric: [">", 100] }] } } }).matches({ detail: { total: 101 } }).join();
`;

/** A worker of Cloudflare, whose bundler turns an import of a `.wasm` file into a compiled module. */
const WORKER = `import { initSync, Matcher } from "eventrie/web";
import module from "eventrie/eventrie.wasm";
initSync(module);
const matcher = new Matcher({ large: { detail: { total: [{ numeric: [">", 100] }] } } });
export default { fetch: async (request) => Response.json(matcher.matches(await request.text())) };
`;

/** What a Lambda runtime does, timed: from the start of loading to the first answer. */
const RUNTIME = `import { createRequire } from "node:module";
const begun = performance.now();
// As the service's runtime does it: CommonJS is required.
const { handler } = process.argv[2].endsWith(".cjs") ? createRequire(import.meta.url)(process.argv[2]) : await import(process.argv[2]).then((found) => (found.handler ? found : found.default));
const answer = await handler({ detail: { total: 101 } });
console.log(JSON.stringify({ answer, took: performance.now() - begun }));
`;

describe("bundlers", { timeout: 300_000 }, () => {
  const directory = mkdtempSync(join(tmpdir(), "eventrie-bundlers-"));
  const table = [];
  let driver;
  before(async () => {
    mkdirSync(join(directory, "node_modules"));
    symlinkSync(PACKAGE, join(directory, "node_modules", "eventrie"));
    for (const [name, text] of Object.entries({ "handler.mjs": HANDLER, "handler.cjs": REQUIRED, "page.mjs": PAGE, "web.mjs": WEB, "worker.mjs": WORKER, "runtime.mjs": RUNTIME, "index.html": '<!doctype html><title>-</title><script type="module" src="./web.mjs"></script>' })) writeFileSync(join(directory, name), text);
    driver = await launch();
  });
  after(async () => {
    await driver.stop();
    rmSync(directory, { recursive: true, force: true });
    console.log(`\n| bundler | from, as | raw | gzip | first answer |\n| --- | --- | --: | --: | --: |\n${table.join("\n")}\n`);
  });

  const kb = (bytes) => `${(bytes / 1024).toFixed(0)} KB`;
  const row = (bundler, how, files, took) => {
    const bytes = files.map((file) => readFileSync(file));
    const size = (of) => !bytes.length ? "" : kb(bytes.reduce((sum, one) => sum + of(one), 0));
    table.push(`| ${bundler} | ${how} | ${size((one) => one.length)} | ${size((one) => gzipSync(one, { level: 9 }).length)} | ${took.toFixed(0)} ms |`);
  };

  /** Runs a bundled handler where nothing else is, and notes the quickest of three cold starts. */
  const inNode = (bundler, how, file, runtime = [process.execPath]) => {
    const took = [0, 1, 2].map(() => {
      const printed = execFileSync(runtime[0], [...runtime.slice(1), join(directory, "runtime.mjs"), file], { cwd: tmpdir(), encoding: "utf8" });
      const { answer, took } = JSON.parse(printed);
      assert.deepEqual(answer, { matched: ["large"] });
      return took;
    });
    row(bundler, how, bundler === "none" ? [] : [file], Math.min(...took));
  };

  /** Opens a bundled page in Chromium. */
  const inBrowser = async (bundler, how, out) => {
    if (!existsSync(join(out, "index.html"))) writeFileSync(join(out, "index.html"), '<!doctype html><title>-</title><script type="module" src="./main.js"></script>');
    const server = await serveDirectory(out);
    const page = await driver.browser.newPage();
    try {
      const faults = [];
      page.on("pageerror", (error) => faults.push(String(error)));
      await page.goto(server.url);
      await page.waitForFunction(() => document.title !== "-", null, { timeout: 10_000 }).catch(() => {});
      assert.deepEqual(faults, []);
      assert.equal(await page.title(), "large");
      const took = await page.evaluate(() => performance.now());
      const files = readdirSync(out, { recursive: true }).map((name) => join(out, name)).filter((name) => statSync(name).isFile() && !name.endsWith(".html"));
      row(bundler, how, files, took);
    } finally {
      await page.close();
      await server.stop();
    }
  };
  const out = (name) => {
    const made = join(directory, "out", name);
    mkdirSync(made, { recursive: true });
    return made;
  };

  for (const entry of ["handler.mjs", "handler.cjs"]) {
    for (const format of ["cjs", "esm"]) {
      test(`esbuild, ${entry} to ${format} for Lambda`, async () => {
        const outfile = join(out(`esbuild-${entry}-${format}`), format === "cjs" ? "index.cjs" : "index.mjs");
        await esbuild.build({ entryPoints: [join(directory, entry)], bundle: true, platform: "node", target: "node20", format, minify: true, outfile, logLevel: "error" });
        inNode("esbuild", `${entry} → ${format}, Node`, outfile);
      });
    }
  }

  test("esbuild, browser", async () => {
    const made = out("esbuild-browser");
    await esbuild.build({ entryPoints: [join(directory, "page.mjs")], bundle: true, format: "esm", minify: true, outfile: join(made, "main.js"), logLevel: "error" });
    await inBrowser("esbuild", "browser", made);
  });

  // The file is copied next to the bundle, as the README says: these bundlers leave `new URL("./eventrie.wasm", import.meta.url)` as it is.
  test("esbuild, browser, module as a file", async () => {
    const made = out("esbuild-web");
    await esbuild.build({ entryPoints: [join(directory, "web.mjs")], bundle: true, format: "esm", minify: true, outfile: join(made, "main.js"), logLevel: "error" });
    copyFileSync(join(PACKAGE, "eventrie.wasm"), join(made, "eventrie.wasm"));
    await inBrowser("esbuild", "browser, `eventrie/web`", made);
  });

  test("esbuild, a worker that may not compile WebAssembly from bytes", async () => {
    const made = out("esbuild-worker");
    await esbuild.build({ entryPoints: [join(directory, "worker.mjs")], bundle: true, format: "esm", platform: "browser", conditions: ["workerd", "worker", "browser"], minify: true, outfile: join(made, "index.mjs"), external: ["*.wasm"], logLevel: "error" });
    const text = readFileSync(join(made, "index.mjs"), "utf8");
    // What the platform's bundler hands over as a compiled module stays an import; the inlined bytes are not in it.
    assert.match(text, /import \w+ from\s*"eventrie\/eventrie\.wasm"/);
    assert.ok(text.length < 100_000, `${text.length}`);
    // As there: a module that was compiled before can be started, and nothing else be compiled.
    const compiled = `import { readFileSync } from "node:fs";
const module = new WebAssembly.Module(readFileSync(${JSON.stringify(join(PACKAGE, "eventrie.wasm"))}));
WebAssembly.Module = new Proxy(WebAssembly.Module, { construct: () => { throw new Error("not allowed"); } });
export default module;
`;
    writeFileSync(join(made, "module.mjs"), compiled);
    writeFileSync(join(made, "index.mjs"), text.replace("eventrie/eventrie.wasm", "./module.mjs"));
    const run = 'const { default: worker } = await import(process.argv[1]); const response = await worker.fetch(new Request("https://x/", { method: "POST", body: JSON.stringify({ detail: { total: 101 } }) })); process.stdout.write(await response.text());';
    assert.equal(execFileSync(process.execPath, ["--input-type=module", "-e", run, join(made, "index.mjs")], { encoding: "utf8" }), '["large"]');
  });

  // Cloudflare's own runtime, with the module beside the bundle as its bundler would have it.
  const workerd = process.env.WORKERD ?? "";
  test("workerd", { skip: workerd ? false : "name the program in WORKERD to run this" }, async () => {
    const made = out("workerd");
    await esbuild.build({ entryPoints: [join(directory, "worker.mjs")], bundle: true, format: "esm", platform: "browser", conditions: ["workerd", "worker", "browser"], minify: true, outfile: join(made, "worker.mjs"), external: ["*.wasm"], logLevel: "error" });
    copyFileSync(join(PACKAGE, "eventrie.wasm"), join(made, "eventrie.wasm"));
    const config = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (
    modules = [(name = "worker", esModule = embed "worker.mjs"), (name = "eventrie/eventrie.wasm", wasm = embed "eventrie.wasm")],
    compatibilityDate = "2026-01-01"))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]);
`;
    writeFileSync(join(made, "config.capnp"), config);
    const took = [];
    for (const _ of [0, 1, 2]) {
      const begun = performance.now();
      const child = spawn(workerd, ["serve", join(made, "config.capnp"), "--control-fd=3"], { stdio: ["ignore", "inherit", "inherit", "pipe"] });
      try {
        // It says on which port it listens.
        const port = await new Promise((resolve, reject) => {
          child.on("error", reject);
          child.on("exit", (code) => reject(new Error(`workerd ended with ${code}`)));
          child.stdio[3].setEncoding("utf8").on("data", (text) => {
            const found = /"port":(\d+)/.exec(text);
            if (found) resolve(found[1]);
          });
        });
        const ask = async (body) => (await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body })).json();
        assert.deepEqual(await ask('{"detail": {"total": 101}}'), ["large"]);
        took.push(performance.now() - begun);
        assert.deepEqual(await ask('{"detail": {"total": 99}}'), []);
      } finally {
        child.removeAllListeners("exit");
        child.kill();
      }
    }
    row("esbuild", "worker, workerd (its start included)", [join(made, "worker.mjs"), join(made, "eventrie.wasm")], Math.min(...took));
  });

  const packed = (config) =>
    new Promise((resolve, reject) =>
      webpack({ mode: "production", context: directory, performance: false, ...config }, (error, stats) => {
        if (error || stats.hasErrors()) reject(error ?? new Error(stats.toString("errors-only")));
        else resolve();
      }),
    );

  test("webpack, Lambda", async () => {
    const made = out("webpack-node");
    await packed({ target: "node20", entry: "./handler.mjs", output: { path: made, filename: "index.cjs", library: { type: "commonjs2" } } });
    inNode("webpack", "handler.mjs → cjs, Node", join(made, "index.cjs"));
  });

  test("webpack, browser", async () => {
    const made = out("webpack-browser");
    await packed({ entry: "./page.mjs", output: { path: made, filename: "main.js" } });
    await inBrowser("webpack", "browser", made);
  });

  test("webpack, browser, module as a file", async () => {
    const made = out("webpack-web");
    await packed({ entry: "./web.mjs", output: { path: made, filename: "main.js" } });
    await inBrowser("webpack", "browser, `eventrie/web`", made);
  });

  test("Rollup, Lambda and browser", async () => {
    for (const [entry, name] of [["handler.mjs", "index.mjs"], ["page.mjs", "main.js"]]) {
      const made = out(`rollup-${entry}`);
      const bundle = await rollup({ input: join(directory, entry), plugins: [nodeResolve()], onwarn: (warning) => assert.fail(warning.message) });
      await bundle.write({ file: join(made, name), format: "es" });
      if (entry === "handler.mjs") inNode("Rollup", "handler.mjs → esm, Node", join(made, name));
      else await inBrowser("Rollup", "browser", made);
    }
  });

  test("Rollup, browser, module as a file", async () => {
    const made = out("rollup-web");
    const bundle = await rollup({ input: join(directory, "web.mjs"), plugins: [nodeResolve()], onwarn: (warning) => assert.fail(warning.message) });
    await bundle.write({ file: join(made, "main.js"), format: "es" });
    copyFileSync(join(PACKAGE, "eventrie.wasm"), join(made, "eventrie.wasm"));
    await inBrowser("Rollup", "browser, `eventrie/web`", made);
  });

  test("Rolldown, Lambda", async () => {
    const made = out("rolldown");
    const bundle = await rolldown({ input: join(directory, "handler.mjs"), platform: "node", logLevel: "warn" });
    await bundle.write({ file: join(made, "index.cjs"), format: "cjs" });
    inNode("Rolldown", "handler.mjs → cjs, Node", join(made, "index.cjs"));
  });

  test("Vite, browser", async () => {
    const made = out("vite");
    writeFileSync(join(directory, "inlined.html"), '<!doctype html><title>-</title><script type="module" src="./page.mjs"></script>');
    await vite.build({ root: directory, configFile: false, logLevel: "error", base: "./", build: { outDir: made, emptyOutDir: true, rollupOptions: { input: join(directory, "inlined.html") } } });
    writeFileSync(join(made, "index.html"), readFileSync(join(made, "inlined.html")));
    await inBrowser("Vite", "browser", made);
  });

  test("Vite, browser, module as a file", async () => {
    const made = out("vite-web");
    await vite.build({ root: directory, configFile: false, logLevel: "error", base: "./", build: { target: "es2022", outDir: made, emptyOutDir: true, rollupOptions: { input: join(directory, "index.html") } } });
    await inBrowser("Vite", "browser, `eventrie/web`", made);
  });

  test("Node itself, without a bundler", () => {
    for (const entry of ["handler.mjs", "handler.cjs"]) inNode("none", `${entry}, Node`, join(directory, entry));
  });

  for (const name of ["bun", "deno"]) {
    const found = process.env[name.toUpperCase()] ?? "";
    test(`${name}`, { skip: found ? false : `name the program in ${name.toUpperCase()} to run this` }, () => {
      const runtime = name === "deno" ? [found, "run", "-A", "--node-modules-dir=manual"] : [found];
      for (const entry of ["handler.mjs", "handler.cjs"]) inNode("none", `${entry}, ${name}`, join(directory, entry), runtime);
      // Deno's bundler is not shipped with it.
      if (name === "deno") return;
      const file = join(out(name), "index.mjs");
      execFileSync(found, ["build", join(directory, "handler.mjs"), "--target=node", "--minify", `--outfile=${file}`], { cwd: directory, stdio: ["ignore", "ignore", "pipe"] });
      inNode("Bun", "handler.mjs → esm, Node", file);
    });
  }
});
