// The vector files of the project.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..", "..");

/** Name and text of all vector files. */
export function vectorFiles() {
  const folder = join(ROOT, "spec-vectors");
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => /\.jsonl?$/.test(name));
  return names.sort().map((name) => ({ name, content: readFileSync(join(folder, name), "utf8") }));
}

export function read(path) {
  return readFileSync(join(ROOT, path), "utf8");
}

export function shown(path) {
  return relative(ROOT, path);
}
