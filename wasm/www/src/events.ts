// The events of the page as inputs: what each is called, and how a document with several is split.
import { members, several } from "./json-text.ts";
import { SUBSCRIBER } from "./scopes.ts";
import { hasRecords, isPlain, type Service } from "./state.ts";

/** The events or records of a document with several. */
export function partsOf(text: string, dialect: Service): string[] {
  const head = text.trimStart();
  const isScoped = dialect === SUBSCRIBER;
  const entries = isScoped && /^\{[^{}[]*"Entries"\s*:/.test(head) ? members(text)?.Entries : undefined;
  if (entries) return several(text.slice(entries.start, entries.end));
  if (isPlain(dialect) || dialect === "sns-body" || isScoped) {
    // A single object is the usual case; what follows its end is looked for only where its layout hints at more.
    return head.startsWith("[") || /\}\s*\n\s*\{/.test(text) ? several(text) : [];
  }
  if (hasRecords(dialect)) {
    if (head.startsWith("[")) return several(text);
    const list = /^\{\s*"(?:Records|records|messages)"\s*:\s*(?=\[)/.exec(head);
    if (list) return several(head.slice(list[0].length, head.lastIndexOf("]") + 1));
  }
  return [];
}

/** What to call an event in a list. */
export function labelOf(text: string, index: number, noun: string): string {
  const head = text.slice(0, 2_000);
  for (const key of ["detail-type", "DetailType", "aws:DetailType", "eventName", "messageId", "partitionKey", "topic", "eventID", "messageID"]) {
    const found = new RegExp(`"${key}"\\s*:\\s*"([^"\\\\]{1,60})"`).exec(head)?.[1];
    if (found) return `${index + 1} · ${found}`;
  }
  return `${noun} ${index + 1}`;
}
