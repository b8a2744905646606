// Templates in YAML, read by a module of its own that is loaded when the first is pasted.
import wasm from "../readers/readers.wasm?url";
import { prettyOr } from "./json-text.ts";
import { collected, type Found, type Recognized } from "./recognize.ts";
import { joined, SCOPES, SUBSCRIBER } from "./scopes.ts";
import { DIALECTS } from "./state.ts";

/** What templates and rule files with patterns have in them. */
const SIGNS = /^\s*-?\s*["']?(?:EventPattern|FilterPolicy|FilterCriteria|FilterConfiguration|Pattern|eventBridge|filterPolicy|filterPatterns|Resources|resources|functions|detail-type|source)["']?\s*:/m;

/** Whether an input may be YAML with patterns; JSON is read without this. */
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

/** The rules, with the filters of one subscriber put together. */
function subscribed(rules: Read["rules"]): Found[] {
  const found: Found[] = [];
  const filters = new Map<string, { found: Found; texts: string[] }>();
  for (const { name, dialect, text } of rules) {
    const scope = SCOPES.findIndex((one) => one.dialect === dialect);
    if (scope < 0) {
      found.push({ name: nameOf(name), dialect: DIALECTS.find((one) => one.name === dialect)?.name ?? "eventbridge", text: prettyOr(text) });
      continue;
    }
    const key = name.replace(/\.?(?:FilterConfiguration|filter_configuration)\b.*$/, "");
    let one = filters.get(key);
    if (!one) {
      one = { found: { name: nameOf(key), dialect: SUBSCRIBER, text: "" }, texts: SCOPES.map(() => "") };
      filters.set(key, one);
      found.push(one.found);
    }
    one.texts[scope] = prettyOr(text);
    one.found.text = joined(one.texts);
  }
  return found;
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
  const found = collected("a template", subscribed(read.rules));
  if (!found) return null;
  const note = holes ? `${holes} of them ${holes === 1 ? "has" : "have"} parts that only a deployment resolves` : "";
  const notes = [found.note, note, ...read.notes].filter(Boolean).join("; ");
  return notes ? { ...found, note: notes } : found;
}
