import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const HERE = dirname(fileURLToPath(import.meta.url));

/** Writes the service worker: it keeps every file of this build, so the page works without a network. */
function offline() {
  return {
    name: "offline",
    apply: "build",
    generateBundle: {
      order: "post",
      handler(_options, bundle) {
        const files = ["./", "./icon.svg", "./manifest.webmanifest", ...Object.keys(bundle).filter((name) => name !== "index.html").map((name) => `./${name}`)].sort();
        const hash = createHash("sha256");
        for (const [name, file] of Object.entries(bundle).sort(([a], [b]) => (a < b ? -1 : 1))) hash.update(name).update(file.type === "chunk" ? file.code : file.source);
        const version = hash.digest("hex").slice(0, 12);
        this.emitFile({
          type: "asset",
          fileName: "sw.js",
          source: `// Keeps the page for use without a network.
const CACHE = "eventrie-${version}";
const FILES = ${JSON.stringify(files)};
self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES)).then(() => self.skipWaiting()));
  // Where a browser can, it takes the files from the cache without starting this worker: a visit need not wait for that.
  const route = (urlPattern) => ({ condition: { urlPattern, requestMethod: "GET" }, source: { cacheName: CACHE } });
  if (event.addRoutes) event.waitUntil(event.addRoutes([route("./assets/*"), route("./")]).catch(() => {}));
});
self.addEventListener("activate", (event) => event.waitUntil(caches.keys().then((keys) => Promise.all(keys.filter((key) => key.startsWith("eventrie-") && key !== CACHE).map((key) => caches.delete(key)))).then(() => self.clients.claim())));
self.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET" || new URL(event.request.url).origin !== self.location.origin) return;
  event.respondWith(caches.open(CACHE).then((cache) => cache.match(event.request, { ignoreSearch: true })).then((kept) => kept ?? fetch(event.request)));
});
`,
        });
      },
    },
  };
}

/** The module is requested with the page, not only when the script that needs it has arrived and run. */
function early() {
  return {
    name: "early",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(_html, { bundle }) {
        const modules = Object.keys(bundle ?? {}).filter((name) => /eventrie-[\w-]+\.wasm$/.test(name));
        return modules.map((name) => ({ tag: "link", attrs: { rel: "preload", href: `./${name}`, as: "fetch", type: "application/wasm", crossorigin: "" }, injectTo: "head-prepend" }));
      },
    },
  };
}

/** Where the page will be, if that is known: programs that show a preview of a link do not resolve relative addresses. */
function address() {
  const base = process.env.PAGE_URL?.replace(/\/?$/, "/");
  if (base && !/^https?:\/\/[^/]/.test(base)) throw new Error(`PAGE_URL: expected the address of the page, such as https://example.org/tester/, found ${base}`);
  return {
    name: "address",
    apply: "build",
    transformIndexHtml: (html) => (base ? html.replace('content="./preview.png"', `content="${base}preview.png"`).replace('<meta property="og:image"', `<meta property="og:url" content="${base}" />\n    $&`) : html),
  };
}

export default defineConfig({
  root: HERE,
  base: "./",
  plugins: [address(), early(), offline()],
  server: { fs: { allow: [join(HERE, "..", "..")] } },
  build: {
    target: "es2022",
    outDir: join(HERE, "dist"),
    emptyOutDir: true,
    // Nothing is inlined as `data:`, which the page's content security policy would refuse for scripts and modules.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 900,
  },
});
