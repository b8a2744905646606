// The whole state in the fragment of the address, compressed. A fragment never leaves the browser.
import { sound, type State } from "./state.ts";

/** What a fragment begins with; another number for another format. */
const PREFIX = "#1=";
/** More than this many characters of state are not unpacked: a link could be a bomb. */
const MOST = 16_000_000;

async function through(bytes: Uint8Array, stream: GenericTransformStream): Promise<Uint8Array> {
  const reader = new Blob([bytes as BlobPart]).stream().pipeThrough(stream).getReader() as ReadableStreamDefaultReader<Uint8Array>;
  const parts: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > MOST) {
      await reader.cancel();
      throw new Error("the link is too large");
    }
    parts.push(value);
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function toText(bytes: Uint8Array): string {
  let text = "";
  // In blocks: a call takes only so many arguments.
  for (let at = 0; at < bytes.length; at += 8_192) text += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function toBytes(text: string): Uint8Array {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));
}

/** The fragment for a state. */
export async function encode(state: State): Promise<string> {
  const { dialect, source, rules, events, rule, event } = state;
  const compact = [dialect, source, rules.map(({ name, text }) => [name, text]), events, rule, event];
  const bytes = new TextEncoder().encode(JSON.stringify(compact));
  return PREFIX + toText(await through(bytes, new CompressionStream("deflate-raw")));
}

/** Whether a fragment was meant to contain a state, in this form or in a later one. */
export function isLink(fragment: string): boolean {
  return /^#\d+=/.test(fragment);
}

/** The state of a fragment; null if it contains none that can be read. */
export async function decode(fragment: string): Promise<State | null> {
  if (!fragment.startsWith(PREFIX)) return null;
  try {
    const bytes = await through(toBytes(fragment.slice(PREFIX.length)), new DecompressionStream("deflate-raw"));
    const compact: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (!Array.isArray(compact)) return null;
    const [dialect, source, pairs, events, rule, event] = compact as unknown[];
    const rules = Array.isArray(pairs) ? pairs.map((pair: unknown) => (Array.isArray(pair) ? { name: pair[0], text: pair[1] } : null)) : null;
    return sound({ dialect, source, rules, events, rule, event });
  } catch {
    return null;
  }
}
