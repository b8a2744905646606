// What to change in a pattern so a field that nearly matches does: each change is tried before it is offered.
import type { Explanation, Field, Miss } from "../../pkg/eventrie.js";

export interface Change {
  /** The button's words. */
  title: string;
  start: number;
  end: number;
  replacement: string;
}

/** The pattern after a change. */
export function changed(pattern: string, { start, end, replacement }: Change): string {
  return pattern.slice(0, start) + replacement + pattern.slice(end);
}

const short = (text: string): string => (text.length > 40 ? `${text.slice(0, 24)}…${text.slice(-12)}` : text);

const scalar = (text: string): unknown => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? undefined : value;
  } catch {
    return undefined;
  }
};

const lastOf = (pointer: string): string => (pointer.split("/").pop() ?? "").replaceAll("~1", "/").replaceAll("~0", "~");

/** The range of a whole member `"key": value` of an object, with the comma that belongs to it. */
function member(pattern: string, start: number, end: number): { start: number; end: number } {
  const after = /^\s*,\s*/.exec(pattern.slice(end));
  if (after) return { start, end: end + after[0].length };
  const before = /,\s*$/.exec(pattern.slice(0, start));
  return { start: before ? start - before[0].length : start, end };
}

/** The change that a near miss suggests, likeliest first. None of them is tried yet. */
function* candidates(field: Field, miss: Miss, pattern: string, event: string): Generator<Change> {
  const test = miss.test ?? (field.tests.length === 1 ? (field.tests[0] ?? null) : null);
  const place = miss.place ?? field.values[0]?.place ?? null;
  const found = place ? event.slice(place.start, place.end) : "";
  const value = found ? scalar(found) : undefined;
  const within = (title: string, replacement: string): Change[] => (test ? [{ title, start: test.start, end: test.end, replacement }] : []);
  const beside = (title: string, addition: string): Change => {
    const empty = /^\[\s*\]$/.test(pattern.slice(field.start, field.end));
    return { title, start: field.end - 1, end: field.end - 1, replacement: empty ? addition : `, ${addition}` };
  };
  const rename = (name: string): Change => ({ title: `Rename it to \`${name}\``, start: field.key.start, end: field.key.end, replacement: JSON.stringify(name) });
  const expected = test ? pattern.slice(test.start, test.end) : "";
  switch (miss.kind) {
    case "letter-case":
      if (value !== undefined) yield* within(`Use the event's spelling, \`${short(found)}\``, found);
      if (expected.startsWith('"')) yield* within("Ignore case", `{ "equals-ignore-case": ${expected} }`);
      break;
    case "white-space":
    case "unicode-form":
    case "look-alike":
    case "spelling":
    case "precision":
      if (value !== undefined) yield* within(`Use the event's value, \`${short(found)}\``, found);
      break;
    case "quoted":
    case "other-type":
      if (value !== undefined) {
        const what = typeof value === "string" ? "a string" : value === null ? "null" : `a ${typeof value}`;
        // Of an operator such as `numeric` the sender's type is the mistake, not the pattern's.
        if (!expected.startsWith("{")) yield* within(`Write it as ${what}, \`${short(found)}\``, found);
        yield beside(`Also accept \`${short(found)}\``, found);
      }
      break;
    case "literal-star":
      if (expected.startsWith('"')) yield* within("Make it a `wildcard`", `{ "wildcard": ${expected} }`);
      break;
    case "other-end":
      if (expected.includes('"prefix"')) yield* within("Make it a `suffix`", expected.replace('"prefix"', '"suffix"'));
      if (expected.includes('"suffix"')) yield* within("Make it a `prefix`", expected.replace('"suffix"', '"prefix"'));
      break;
    case "inside-text":
      if (expected.startsWith('"')) yield* within("Look for it inside the value, with `wildcard`", `{ "wildcard": ${`"*${expected.slice(1, -1)}*"`} }`);
      break;
    case "null-value":
      yield beside("Also accept `null`", "null");
      break;
    case "similar-key":
      if (place) yield rename(lastOf(place.pointer));
      break;
    case "other-place": {
      // The field alone, under the path that the event has: it joins the pattern at the top level.
      if (!place) break;
      const names = place.pointer.split("/").slice(1).map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~")).filter((name) => !/^\d+$/.test(name));
      const moved = names.reduceRight((inner, name) => `{ ${JSON.stringify(name)}: ${inner} }`, pattern.slice(field.start, field.end));
      const whole = member(pattern, field.key.start, field.end);
      const rest = pattern.slice(0, whole.start) + pattern.slice(whole.end);
      yield { title: `Move it to \`${names.join(".")}\``, start: 0, end: pattern.length, replacement: merged(rest, moved) };
      break;
    }
    case "operator-as-field": {
      const start = pattern.lastIndexOf("{", field.key.start);
      const end = pattern.indexOf("}", field.end) + 1;
      if (start >= 0 && end > 0) yield { title: "Put the operator in an array", start, end, replacement: `[${pattern.slice(start, end)}]` };
      break;
    }
    default:
  }
  if (value !== undefined && ["different", "out-of-range", "address", "is-empty", "spelling", "excluded"].includes(miss.kind)) {
    yield beside(`Also accept \`${short(found)}\``, found);
    yield* within(`Accept only \`${short(found)}\``, found);
  }
  if (miss.kind === "present") yield* within("Expect the field to be present", '{ "exists": true }');
  const removed: Change = { title: `Remove \`${field.path}\` from the pattern`, ...member(pattern, field.key.start, field.end), replacement: "" };
  yield removed;
  // An object must not be left empty.
  yield { ...removed, start: 0, end: pattern.length, replacement: merged(changed(pattern, removed), "{}") };
}

/** A pattern with another one's fields in it, laid out on one line where they meet. */
function merged(pattern: string, addition: string): string {
  const into = (left: unknown, right: unknown): unknown => {
    if (typeof left !== "object" || left === null || Array.isArray(left) || typeof right !== "object" || right === null || Array.isArray(right)) return right;
    const out: Record<string, unknown> = { ...(left as Record<string, unknown>) };
    for (const [name, value] of Object.entries(right)) out[name] = name in out ? into(out[name], value) : value;
    return out;
  };
  try {
    const prune = (value: unknown): unknown => {
      if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
      const entries = Object.entries(value).map(([name, inner]) => [name, prune(inner)] as const);
      return Object.fromEntries(entries.filter(([, inner]) => typeof inner !== "object" || inner === null || Array.isArray(inner) || Object.keys(inner).length > 0));
    };
    return JSON.stringify(prune(into(JSON.parse(pattern), JSON.parse(addition))), null, 2);
  } catch {
    return pattern;
  }
}

/** The failing fields that decide, those of the branch that came closest first. */
function failing(explanation: Explanation): Field[] {
  const found: Field[] = [];
  const visit = (branch: Explanation["root"]): void => {
    found.push(...branch.fields.filter(({ held, overriddenBy }) => !held && !overriddenBy));
    for (const group of branch.groups) {
      if (group.held) continue;
      const best = [...group.branches].sort((a, b) => Number(spoken(b)) - Number(spoken(a)) || misses(a) - misses(b))[0];
      if (best) visit(best);
    }
  };
  /** Whether it is the branch that the verdict speaks of. */
  const spoken = (branch: Explanation["root"]): boolean => explanation.patternPlace !== null && branch.start <= explanation.patternPlace.start && explanation.patternPlace.end <= branch.end;
  const misses = (branch: Explanation["root"]): number => branch.fields.filter(({ held }) => !held).length + branch.groups.filter(({ held }) => !held).length;
  visit(explanation.root);
  return found;
}

/**
 * Changes for the field that the verdict speaks of, or for the first that has any: at most three, each tried with
 * `attempt`, which says how close the event comes to a changed pattern (null if the pattern is invalid or unchanged).
 */
export function changes(explanation: Explanation, pattern: string, event: string, attempt: (pattern: string) => number | null): Change[] {
  if (explanation.matched) return [];
  const at = explanation.patternPlace;
  const fields = failing(explanation);
  const first = at ? fields.findIndex((field) => field.start <= at.start && at.end <= field.end) : -1;
  if (first > 0) fields.unshift(...fields.splice(first, 1));
  for (const field of fields) {
    const offered: Change[] = [];
    const seen = new Set<string>();
    for (const miss of field.misses.length ? field.misses.slice(0, 2) : []) {
      for (const change of candidates(field, miss, pattern, event)) {
        const next = changed(pattern, change);
        if (offered.length >= 3 || seen.has(next) || next === pattern || offered.some(({ title }) => title === change.title)) continue;
        seen.add(next);
        const nearness = attempt(next);
        if (nearness !== null && nearness > explanation.nearness) offered.push(change);
      }
    }
    if (offered.length) return offered;
  }
  return [];
}
