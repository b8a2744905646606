#!/usr/bin/env node
// The command line: the same program as the native one, with Node's file system. `npx eventrie --help` says more.
import { readFileSync } from "node:fs";
import { parse, resolve } from "node:path";
import { isatty } from "node:tty";
import { setFlagsFromString } from "node:v8";

// Node's WASI lets a garbage collection happen in calls that V8 makes directly, which such calls must not do: after some
// megabytes of input the process would crash (nodejs/node#46777). V8 has to know before it compiles the program.
if (!process.versions.bun) setFlagsFromString("--no-turbo-fast-api-calls");

// That `node:wasi` is experimental is nothing that a user of the command line can act on.
const { emitWarning } = process;
process.emitWarning = (warning, ...rest) => {
  const kind = typeof rest[0] === "object" ? rest[0]?.type : rest[0];
  if (kind !== "ExperimentalWarning") emitWarning.call(process, warning, ...rest);
};
const { WASI } = await import("node:wasi");

const env = { ...process.env };
// The program cannot measure the terminal from inside. Only a terminal may be touched: Node would switch a pipe to writes that
// do not wait, and output would be lost.
const columns = isatty(1) ? process.stdout.columns : isatty(2) ? process.stderr.columns : undefined;
if (columns && !env.COLUMNS) env.COLUMNS = String(columns);

// A path such as `C:\rules.json` is reached from the root of its drive.
const posix = (text) => (process.platform === "win32" && /^[A-Za-z]:[\\/]/.test(text) ? resolve(text).slice(2).replaceAll("\\", "/") : text);
// The whole file system is open to it, as to any program; it starts in the root and changes to this directory.
env.PWD = posix(process.cwd());
const wasi = new WASI({ version: "preview1", args: ["eventrie", ...process.argv.slice(2).map(posix)], env, preopens: { "/": parse(process.cwd()).root }, returnOnExit: true });
const module = new WebAssembly.Module(readFileSync(new URL("./cli.wasm", import.meta.url)));
const instance = new WebAssembly.Instance(module, wasi.getImportObject());
process.exitCode = wasi.start(instance);
