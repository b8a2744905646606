// Templates in YAML, read by a module of its own that is loaded when the first is pasted.
import wasm from "../readers/readers.wasm?url";
import type { Dialect } from "../../pkg/eventrie.js";
import { prettyOr } from "./json-text.ts";
import { collected, type Recognized } from "./recognize.ts";
import { DIALECTS } from "./state.ts";

/** What templates and rule files with patterns have in them. */
const SIGNS = /^\s*-?\s*["']?(?:EventPattern|FilterPolicy|FilterCriteria|FilterConfiguration|Pattern|eventBridge|filterPolicy|filterPatterns|Resources|resources|functions|detail-type|source)["']?\s*:/m;

/** Whether a text may be YAML with patterns; JSON is read without this. */
export function isTemplate(text: string): boolean {
  return text.length < 8_000_000 && !/^\s*[{[]/.test(text) && /^\s*[\w"'-][^\n{]*:(?:\s|$)/m.test(text) && SIGNS.test(text);
}

interface Read {
  rules: { name: string; dialect: string | null; text: string; holes: boolean }[];
  notes: string[];
}

let started: Promise<(name: string, text: string) => string> | null = null;
const reader = () =>
  (started ??= import("../readers/readers.js").then(async ({ default: init, patterns }) => {
    await init({ module_or_path: wasm });
    return patterns;
  }));

/** Of a path such as `Resources.Orders.Properties.EventPattern` what people call the rule. */
function nameOf(path: string): string {
  const parts = path.split(".").filter((part) => !/^(?:Resources|Properties|EventPattern|FilterPolicy|FilterCriteria|Filters|Pattern|pattern|functions|events|eventBridge|sns|filterPolicy|resources|spec)(?:\[\d+\])*$/.test(part));
  return parts.join("-").replace(/\[(\d+)\]/g, "-$1") || "rule";
}

/** The rules of a template; null if it has none, or cannot be read. */
export async function readTemplate(text: string): Promise<Recognized | null> {
  let read: Read;
  try {
    read = JSON.parse((await reader())("pasted.yaml", text)) as Read;
  } catch (error) {
    if (typeof error === "string") return null;
    throw error;
  }
  const holes = read.rules.filter((rule) => rule.holes).length;
  const found = collected(
    "a template",
    read.rules.map(({ name, dialect, text: pattern }) => ({ name: nameOf(name), dialect: DIALECTS.find((one) => one.name === dialect)?.name ?? ("eventbridge" satisfies Dialect), text: prettyOr(pattern) })),
  );
  if (!found) return null;
  const note = holes ? `${holes} of them ${holes === 1 ? "has" : "have"} parts that only a deployment resolves` : "";
  const notes = [found.note, note, ...read.notes].filter(Boolean).join("; ");
  return notes ? { ...found, note: notes } : found;
}
