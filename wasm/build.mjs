#!/usr/bin/env node
// Builds the npm package into `pkg/`: the module (small first), the JavaScript around it, and the command line for `npx`.
// Says what it does and how long each step took. `node build.mjs page` leaves the command line as it is. Needs cargo, Node 20 and `npm ci` in this directory; nothing else by hand.
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { rolldown } from "rolldown";

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = dirname(HERE);
const PACKAGE = join(HERE, "pkg");
/** What only the page loads; not in the package. */
const READERS = join(HERE, "www", "readers");
const TARGET = process.env.CARGO_TARGET_DIR ?? join(ROOT, "target");
const KB = 1024;
/** What each artifact may weigh, raw and compressed: what it weighs now, and a little. */
const ARTIFACTS = {
  core: { crate: "eventrie-wasm", triple: "wasm32-unknown-unknown", file: "eventrie.wasm", built: "eventrie_wasm.wasm", budget: [690 * KB, 304 * KB], for: "the library and the page" },
  readers: { crate: "eventrie-wasm-readers", triple: "wasm32-unknown-unknown", file: "readers.wasm", built: "eventrie_wasm_readers.wasm", budget: [900 * KB, 380 * KB], for: "templates pasted into the page" },
  cli: { crate: "eventrie-cli", triple: "wasm32-wasip1", file: "cli.wasm", built: "eventrie.wasm", budget: [2_450 * KB, 1_040 * KB], for: "`npx eventrie`" },
};

const begun = performance.now();
const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(0)} s`;

function say(text) {
  process.stdout.write(`[${seconds(begun).padStart(5)}] ${text}\n`);
}

/** Ends the build with a message and, if there is any, what the failing command printed. */
function fail(message, output = "") {
  if (output) process.stderr.write(`${output.trimEnd()}\n`);
  process.stderr.write(`error: ${message}\n`);
  process.exit(1);
}

function run(command, args, options = {}) {
  const result = spawnSync(command, args, { cwd: ROOT, encoding: "utf8", maxBuffer: 1 << 26, ...options });
  return { ok: result.status === 0, missing: result.error?.code === "ENOENT", output: `${result.stdout ?? ""}${result.stderr ?? ""}` };
}

/** Runs cargo and shows, every ten seconds, which crate it is at. */
async function cargo(args, env = {}, cwd = ROOT) {
  const child = spawn("cargo", args, { cwd, env: { ...process.env, CARGO_TERM_COLOR: "never", ...env }, stdio: ["ignore", "inherit", "pipe"] });
  let output = "";
  let crates = 0;
  let last = "";
  child.stderr.setEncoding("utf8");
  child.stderr.on("data", (text) => {
    output = (output + text).slice(-200_000);
    for (const [, name] of text.matchAll(/^\s*Compiling (\S+)/gm)) [crates, last] = [crates + 1, name];
  });
  const beat = setInterval(() => last && say(`  ${crates} crates begun, the last is ${last}`), 10_000);
  const status = await new Promise((resolve) => {
    child.on("error", () => resolve(null));
    child.on("close", resolve);
  });
  clearInterval(beat);
  return { ok: status === 0, output };
}

/** Which parts of a toolchain are installed. */
function toolchain(rustc, triple) {
  const sysroot = run(rustc, ["--print", "sysroot"]);
  if (sysroot.missing) fail(`\`${rustc}\` was not found; install Rust first`);
  const directory = join(sysroot.output.trim(), "lib", "rustlib");
  return { target: existsSync(join(directory, triple, "lib")), sources: existsSync(join(directory, "src", "rust", "library", "std")) };
}

/**
 * What makes the standard library small: it is compiled from its sources, for size, and without the messages of panics,
 * which nobody could read here anyway. Only the toolchain's own switches for it are not stable yet.
 */
function small(rustc) {
  const env = { ...process.env, RUSTC_BOOTSTRAP: "1" };
  const silent = ["-Zunstable-options", "-Cpanic=immediate-abort"];
  const known = run(rustc, [...silent, "--print", "cfg"], { env }).ok;
  return {
    args: ["-Zbuild-std=std,panic_abort", `-Zbuild-std-features=optimize_for_size${known ? "" : ",panic_immediate_abort"}`],
    env: { RUSTC_BOOTSTRAP: "1", ...(known ? { CARGO_ENCODED_RUSTFLAGS: silent.join("\x1f") } : {}) },
  };
}

/** Compiles the core and the readers with the toolchain in use, else with Debian's. Returns whether the standard library was built for size. */
async function compileCore() {
  const { crate, triple } = ARTIFACTS.core;
  const build = ["build", "--locked", "--package", crate, "--package", ARTIFACTS.readers.crate, "--target", triple, "--profile", "wasm"];
  let own = toolchain("rustc", triple);
  if (!own.target || !own.sources) {
    say(`adding the target ${triple} and the sources of the standard library`);
    run("rustup", ["target", "add", triple], { timeout: 300_000 });
    run("rustup", ["component", "add", "rust-src"], { timeout: 300_000 });
    own = toolchain("rustc", triple);
  }
  if (own.target) {
    const how = own.sources ? small("rustc") : { args: [], env: {} };
    if (!own.sources) say("the sources of the standard library are missing: the shipped one makes the module about 200 KB larger");
    say(`compiling ${crate} and ${ARTIFACTS.readers.crate} for ${triple}, with the standard library: about 2 minutes when nothing is built yet`);
    const built = await cargo([...build, ...how.args], how.env);
    if (!built.ok) fail("the module does not compile", built.output);
    return own.sources;
  }
  const debian = "/usr/bin/rustc";
  if (!existsSync(debian) || !toolchain(debian, triple).sources || run("wasm-ld", ["--version"]).missing) {
    fail(
      `the target ${triple} is not installed, and rustup could not add it.\n` +
        `  Either let rustup reach its server (rustup target add ${triple}),\n` +
        "  or install Debian's toolchain (apt-get install rustc-web cargo-web rust-web-src lld), then run this again",
    );
  }
  say("rustup cannot add the target: compiling with Debian's toolchain and the sources of its standard library");
  const how = small(debian);
  const built = await cargo([...build, ...how.args], { ...how.env, RUSTC: debian, CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER: "wasm-ld" });
  if (!built.ok) fail("the module does not compile with Debian's toolchain", built.output);
  return true;
}

/** Compiles the command line with the standard library as shipped: it needs the file system, and people wait for it once. */
async function compileCli() {
  const { crate, triple } = ARTIFACTS.cli;
  if (!toolchain("rustc", triple).target) {
    say(`adding the target ${triple}`);
    run("rustup", ["target", "add", triple], { timeout: 300_000 });
    if (!toolchain("rustc", triple).target) fail(`the target ${triple} is not installed, and rustup could not add it (rustup target add ${triple})`);
  }
  say(`compiling ${crate} for ${triple}: about 2 minutes when nothing is built yet`);
  const built = await cargo(["build", "--locked", "--package", crate, "--bin", "eventrie", "--target", triple, "--profile", "wasm"]);
  if (!built.ok) fail("the command line does not compile", built.output);
}

async function bind() {
  say("compiling the driver of wasm-bindgen");
  const built = await cargo(["build", "--locked"], {}, join(HERE, "bindgen"));
  if (!built.ok) fail("the driver of wasm-bindgen does not compile", built.output);
  const driver = join(process.env.CARGO_TARGET_DIR ?? join(HERE, "bindgen", "target"), "debug", process.platform === "win32" ? "eventrie-bindgen.exe" : "eventrie-bindgen");
  for (const [{ triple, built: module }, out, name] of [[ARTIFACTS.core, PACKAGE, "core"], [ARTIFACTS.readers, READERS, "readers"]]) {
    const bound = run(driver, [join(TARGET, triple, "wasm", module), out, name]);
    if (!bound.ok) fail(`wasm-bindgen failed on ${module}`, bound.output);
  }
}

const pathOf = (file) => join(file === "readers.wasm" ? READERS : PACKAGE, file);

function optimize({ file, triple, built, for: use }, extra) {
  let optimizer;
  try {
    optimizer = join(dirname(createRequire(import.meta.url).resolve("binaryen")), "bin", "wasm-opt");
  } catch {
    fail("binaryen is not installed: run `npm ci` in `wasm/` first");
  }
  say(`optimizing ${file} (${use}) for size`);
  const bound = { "eventrie.wasm": join(PACKAGE, "core_bg.wasm"), "readers.wasm": join(READERS, "readers_bg.wasm") }[file];
  const from = bound ?? join(TARGET, triple, "wasm", built);
  const features = ["--enable-bulk-memory", "--enable-sign-ext", "--enable-mutable-globals", "--enable-nontrapping-float-to-int", "--enable-reference-types", "--enable-multivalue"];
  const optimized = run(process.execPath, [optimizer, from, "-o", pathOf(file), "-Oz", "--strip-producers", ...extra, ...features]);
  if (!optimized.ok) fail(`wasm-opt failed on ${file}`, optimized.output);
  if (bound) rmSync(bound);
}

/** The JavaScript around the module: our own files, the module as text for those who cannot load a file, and CommonJS. */
async function assemble() {
  const npm = join(HERE, "npm");
  for (const name of ["package.json", "README.md", "api.js", "input.js", "eventrie.js", "eventrie.d.ts", "web.js", "web.d.ts", "cli.js"]) copyFileSync(join(npm, name), join(PACKAGE, name));
  chmodSync(join(PACKAGE, "cli.js"), 0o755);
  copyFileSync(join(npm, "eventrie.d.ts"), join(PACKAGE, "eventrie.d.cts"));
  for (const name of ["LICENSE-MIT", "LICENSE-APACHE"]) copyFileSync(join(ROOT, name), join(PACKAGE, name));
  const module = readFileSync(join(PACKAGE, "eventrie.wasm"));
  // A script without imports or exports: ES modules and CommonJS share it, and every bundler can read it.
  writeFileSync(join(PACKAGE, "module.cjs"), `// The bytes of eventrie.wasm.\nglobalThis[Symbol.for("eventrie.module")] = "${module.toString("base64")}";\n`);
  say("bundling for CommonJS");
  const bundle = await rolldown({ input: join(PACKAGE, "eventrie.js"), external: [/module\.cjs$/], platform: "node", logLevel: "warn" });
  await bundle.write({ file: join(PACKAGE, "eventrie.cjs"), format: "cjs", exports: "named" });
  await bundle.close();
}

/** The pages of all findings, for the page that shows each under an address of its own. */
function findings() {
  say("printing the pages of findings");
  const printed = run("cargo", ["run", "--quiet", "--locked", "--package", "eventrie-wasm", "--example", "pages"], { stdio: ["ignore", "pipe", "inherit"] });
  if (!printed.ok) fail("the pages of findings could not be printed", printed.output);
  writeFileSync(join(PACKAGE, "..", "www", "src", "findings.json"), printed.output);
}

/** Prints the size of each artifact; over its budget the build fails. */
function weigh(forSize) {
  const kb = (n) => `${(n / KB).toFixed(1)} KB`;
  for (const [name, { file, budget, for: use }] of Object.entries(ARTIFACTS)) {
    if (!existsSync(pathOf(file))) continue;
    const bytes = readFileSync(pathOf(file));
    const sizes = [bytes.length, gzipSync(bytes, { level: 9 }).length];
    say(`${file} (${use}): ${kb(sizes[0])} of ${kb(budget[0])}; gzip ${kb(sizes[1])} of ${kb(budget[1])}; brotli ${kb(brotliCompressSync(bytes).length)}`);
    if ((forSize || name === "cli") && sizes.some((size, index) => size > budget[index])) fail(`${file} is over its size budget`);
  }
}

const everything = process.argv[2] !== "page";
const forSize = await compileCore();
for (const directory of everything ? [PACKAGE, READERS] : [READERS]) rmSync(directory, { recursive: true, force: true });
for (const directory of [PACKAGE, READERS]) mkdirSync(directory, { recursive: true });
await bind();
// The lowest 1,024 bytes of memory are the far end of the stack, which the linker puts first: no pointer becomes one into
// them by adding to it, so such additions can be left to the instructions that read and write.
optimize(ARTIFACTS.core, ["--low-memory-unused"]);
optimize(ARTIFACTS.readers, ["--low-memory-unused"]);
writeFileSync(join(READERS, "readers.d.ts"), "export default function init(source: { module_or_path: string }): Promise<unknown>;\nexport function patterns(name: string, text: string): string;\n");
await assemble();
findings();
if (everything) {
  await compileCli();
  optimize(ARTIFACTS.cli, []);
}
weigh(forSize);
say("done: the package is in wasm/pkg");
