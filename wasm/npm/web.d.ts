export * from "./eventrie.js";

/**
 * Loads the WebAssembly module; call it once before anything else.
 *
 * @param source where the module is: by default `eventrie.wasm` next to this file. A URL, a `Response`, its bytes or a
 *   compiled `WebAssembly.Module` will do.
 */
export default function init(source?: string | URL | Request | Response | Promise<Response> | BufferSource | WebAssembly.Module): Promise<void>;

/** The same from the bytes of the module or from a compiled one, without waiting. */
export function initSync(module: BufferSource | WebAssembly.Module): void;
