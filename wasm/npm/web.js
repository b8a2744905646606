// The entry for pages that load the module as a file of its own: smaller, and compiled while it arrives.
import { begin, fetched } from "./api.js";

/** Loads the module: from next to this file or from where `source` says. Call it once before anything else. */
export default async function init(source = new URL("./eventrie.wasm", import.meta.url)) {
  await fetched(source);
}

/** As `init`, from the bytes of the module or from a compiled one, at once. */
export function initSync(module) {
  begin(module);
}

export { attributesAsEvent, BusEvent, check, fate, infer, Matcher, Pattern, RecordFilter, SnsFilter, Subscriber, SubscriberSet } from "./api.js";
