// The entry for everyone: the module comes inlined, so nothing has to be loaded, copied or configured.
import "./module.cjs";
import { begin } from "./api.js";

const text = globalThis[Symbol.for("eventrie.module")];
begin(typeof Buffer === "function" ? Buffer.from(text, "base64") : Uint8Array.from(atob(text), (char) => char.charCodeAt(0)));

export { attributesAsEvent, BusEvent, check, fate, infer, Matcher, Pattern, RecordFilter, SnsFilter, Subscriber, SubscriberSet } from "./api.js";
