// A server for the built page and a browser to look at it.
import { createReadStream, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { chromium } from "playwright-core";
import { ROOT } from "../files.mjs";

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".wasm": "application/wasm",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
  ".webmanifest": "application/manifest+json",
};

/** Serves the page below `/`, and the project's files below `/project/`. */
export function serve(options) {
  return serveDirectory(join(ROOT, "wasm", "www", "dist"), options);
}

/**
 * Serves a directory below `/`, and the project's files below `/project/`; compressed if wanted, as hosts of static pages
 * do (each file once, not while somebody waits).
 */
export async function serveDirectory(directory, { compressed = false } = {}) {
  const packed = new Map();
  if (compressed) {
    for (const name of readdirSync(directory, { recursive: true, encoding: "utf8" })) {
      if (/\.(?:html|js|css|wasm|svg|json|webmanifest)$/.test(name)) packed.set(join(directory, name), brotliCompressSync(readFileSync(join(directory, name))));
    }
  }
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, "http://localhost").pathname));
    const inside = path.startsWith("/project/") ? join(ROOT, path.slice("/project/".length)) : join(directory, path === "/" ? "index.html" : path);
    if (!existsSync(inside) || !statSync(inside).isFile()) return response.writeHead(404).end();
    const small = packed.get(inside);
    if (small) return response.writeHead(200, { "content-type": TYPES[extname(inside)] ?? "application/octet-stream", "content-encoding": "br", "content-length": small.length }).end(small);
    response.writeHead(200, { "content-type": TYPES[extname(inside)] ?? "application/octet-stream" });
    return createReadStream(inside).pipe(response);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  return { url: `http://127.0.0.1:${port}/`, stop: () => new Promise((resolve) => (server.closeAllConnections(), server.close(resolve))) };
}

const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";

const ARGUMENTS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

function executable() {
  if (!existsSync(CHROMIUM)) throw new Error(`no browser at ${CHROMIUM}: install Chromium (apt-get install chromium), or name it in CHROMIUM`);
  return { executablePath: CHROMIUM, args: ARGUMENTS };
}

/** A browser that keeps on disk what it would keep for a person. */
export function launchWith(profile, options = {}) {
  return chromium.launchPersistentContext(profile, { ...executable(), ...options });
}

export async function launch() {
  const profile = mkdtempSync(join(tmpdir(), "eventrie-browser-"));
  const browser = await chromium.launch(executable());
  return {
    browser,
    stop: async () => {
      await browser.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

/** A fresh visitor. What the page asks of any other host, and every error, is written down. */
export async function visit(browser, url, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, colorScheme: "light", ...options });
  const page = await context.newPage();
  const faults = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
  page.on("request", (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol.startsWith("http") && origin !== new URL(url).origin) faults.push(`asked ${origin}`);
  });
  await page.goto(url);
  await page.waitForSelector("html[data-ready]");
  return { page, context, faults };
}
