#!/usr/bin/env node
// Builds the npm package: compiles the module, writes JavaScript for browsers, bundlers and Node, optimises the module,
// and checks that it keeps its size budget. Needs cargo, Node 20 and `npm ci` in this folder; nothing else by hand.
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = dirname(HERE);
const PACKAGE = join(HERE, "pkg");
const TRIPLE = "wasm32-unknown-unknown";
// What the module may weigh: what it weighs now, and a little. The aim was 200 KB, 80 KB compressed; README.md says what was
// done for it, and why it is missed.
const BUDGET = { raw: 562 * 1024, gzip: 248 * 1024 };
const TARGETS = ["web", "bundler", "node"];

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

function cargo(args, env = {}) {
  return run("cargo", args, { env: { ...process.env, ...env }, stdio: ["ignore", "inherit", "pipe"] });
}

/** The folder of a toolchain's libraries, and of the sources of its standard library if they are there. */
function toolchain(rustc) {
  const sysroot = run(rustc, ["--print", "sysroot"]);
  if (sysroot.missing) fail(`\`${rustc}\` was not found; install Rust first`);
  const folder = join(sysroot.output.trim(), "lib", "rustlib");
  return { target: existsSync(join(folder, TRIPLE, "lib")), sources: existsSync(join(folder, "src", "rust", "library", "std")) };
}

/**
 * What makes the standard library small: it is compiled from its sources, for size, and without the texts of panics,
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

/** Compiles with the toolchain in use, else with Debian's. Answers whether the standard library was built for size. */
function compile() {
  const build = ["build", "--quiet", "--locked", "--package", "eventrie-wasm", "--target", TRIPLE, "--profile", "wasm"];
  let own = toolchain("rustc");
  if (!own.target || !own.sources) {
    console.log(`adding the target ${TRIPLE} and the sources of the standard library`);
    run("rustup", ["target", "add", TRIPLE], { timeout: 300_000 });
    run("rustup", ["component", "add", "rust-src"], { timeout: 300_000 });
    own = toolchain("rustc");
  }
  if (own.target) {
    const how = own.sources ? small("rustc") : { args: [], env: {} };
    if (!own.sources) console.log("the sources of the standard library are missing: building with it as it is shipped, about 200 KB larger");
    const built = cargo([...build, ...how.args], how.env);
    if (!built.ok) fail("the module does not compile", built.output);
    return own.sources;
  }
  const debian = "/usr/bin/rustc";
  if (!existsSync(debian) || !toolchain(debian).sources || run("wasm-ld", ["--version"]).missing) {
    fail(
      `the target ${TRIPLE} is not installed, and rustup could not add it.\n` +
        `  Either let rustup reach its server (rustup target add ${TRIPLE}),\n` +
        "  or install Debian's toolchain (apt-get install rustc-web cargo-web rust-web-src lld), then run this again",
    );
  }
  console.log("rustup cannot add the target: building with Debian's toolchain and the sources of its standard library");
  const how = small(debian);
  const built = cargo([...build, ...how.args], {
    ...how.env,
    RUSTC: debian,
    CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER: "wasm-ld",
  });
  if (!built.ok) fail("the module does not compile with Debian's toolchain", built.output);
  return true;
}

function bind(target) {
  const built = run("cargo", ["build", "--quiet", "--locked"], { cwd: join(HERE, "bindgen") });
  if (!built.ok) fail("the driver of wasm-bindgen does not compile", built.output);
  const folder = process.env.CARGO_TARGET_DIR ?? join(ROOT, "target");
  const driverFolder = process.env.CARGO_TARGET_DIR ?? join(HERE, "bindgen", "target");
  const driver = join(driverFolder, "debug", process.platform === "win32" ? "eventrie-bindgen.exe" : "eventrie-bindgen");
  const module = join(folder, TRIPLE, "wasm", "eventrie_wasm.wasm");
  const bound = run(driver, [module, target, join(PACKAGE, target), "eventrie"]);
  if (!bound.ok) fail(`no bindings for ${target}`, bound.output);
}

function optimise() {
  let optimiser;
  try {
    optimiser = join(dirname(createRequire(import.meta.url).resolve("binaryen")), "bin", "wasm-opt");
  } catch {
    fail("binaryen is not installed: run `npm ci` in `wasm/` first");
  }
  const [first, ...others] = TARGETS.map((target) => join(PACKAGE, target, "eventrie_bg.wasm"));
  const features = ["--enable-bulk-memory", "--enable-sign-ext", "--enable-mutable-globals", "--enable-nontrapping-float-to-int", "--enable-reference-types", "--enable-multivalue"];
  // The lowest 1,024 bytes of memory are the far end of the stack, which the linker puts first: no pointer becomes one into
  // them by adding to it, so that such additions can be left to the instructions that read and write.
  const shrink = ["-Oz", "--low-memory-unused", "--strip-producers"];
  const optimised = run(process.execPath, [optimiser, first, "-o", first, ...shrink, ...features]);
  if (!optimised.ok) fail("wasm-opt failed", optimised.output);
  // The module is the same for every target; only the JavaScript around it differs.
  for (const other of others) copyFileSync(first, other);
  return first;
}

function check(module, forSize) {
  const bytes = readFileSync(module);
  const size = { raw: bytes.length, gzip: gzipSync(bytes, { level: 9 }).length };
  const kb = (n) => `${(n / 1024).toFixed(1)} KB`;
  console.log(`module: ${kb(size.raw)} of ${kb(BUDGET.raw)}, compressed ${kb(size.gzip)} of ${kb(BUDGET.gzip)}`);
  if (forSize && (size.raw > BUDGET.raw || size.gzip > BUDGET.gzip)) fail("the module is over its size budget");
}

function finish() {
  for (const name of ["package.json", "README.md"]) copyFileSync(join(HERE, "npm", name), join(PACKAGE, name));
  for (const name of ["LICENSE-MIT", "LICENSE-APACHE"]) copyFileSync(join(ROOT, name), join(PACKAGE, name));
  // Node reads the bindings for it as CommonJS, the others as modules.
  writeFileSync(join(PACKAGE, "node", "package.json"), '{ "type": "commonjs" }\n');
  for (const target of TARGETS) {
    const declarations = join(PACKAGE, target, "eventrie.d.ts");
    if (!statSync(declarations).size) fail(`no declarations for ${target}`);
  }
}

const forSize = compile();
rmSync(PACKAGE, { recursive: true, force: true });
mkdirSync(PACKAGE, { recursive: true });
for (const target of TARGETS) bind(target);
const module = optimise();
finish();
check(module, forSize);
