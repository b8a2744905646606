#!/usr/bin/env node
// The command line: the same program as the native one, with Node's file system. `npx eventrie --help` says more.
import { readFileSync } from "node:fs";
import { dirname, parse, resolve } from "node:path";

// That `node:wasi` is experimental is nothing that a user of the command line can act on.
const { emitWarning } = process;
process.emitWarning = (warning, ...rest) => {
  const kind = typeof rest[0] === "object" ? rest[0]?.type : rest[0];
  if (kind !== "ExperimentalWarning") emitWarning.call(process, warning, ...rest);
};
const { WASI } = await import("node:wasi");

/** The directories that paths may start from: the root, this one, and each one above it, by the name that reaches it. */
function directories() {
  const here = process.cwd();
  const { root } = parse(here);
  const names = { "/": root, ".": here };
  for (let at = dirname(here), name = ".."; at !== dirname(at) || at === root; at = dirname(at), name += "/..") {
    names[name] = at;
    if (at === root) break;
  }
  return names;
}

const env = { ...process.env };
// The program cannot measure the terminal from inside.
const columns = process.stdout.columns ?? process.stderr.columns;
if (columns && !env.COLUMNS) env.COLUMNS = String(columns);

// A path such as `C:\rules.json` is reached from the root of its drive.
const posix = (text) => (process.platform === "win32" && /^[A-Za-z]:[\\/]/.test(text) ? resolve(text).slice(2).replaceAll("\\", "/") : text);
const wasi = new WASI({ version: "preview1", args: ["eventrie", ...process.argv.slice(2).map(posix)], env, preopens: directories(), returnOnExit: true });
const module = new WebAssembly.Module(readFileSync(new URL("./cli.wasm", import.meta.url)));
const instance = new WebAssembly.Instance(module, wasi.getImportObject());
process.exitCode = wasi.start(instance);
