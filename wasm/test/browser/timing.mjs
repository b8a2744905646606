#!/usr/bin/env node
// How long a visitor waits for the first answer, and until the inputs can be edited: on a slow connection (1.6 Mb/s, 150 ms) with a
// processor four times slower. The first visit has nothing cached; the next ones have what a browser keeps on disk: the service
// worker's files and compiled code. Then, without a slow network, how long a key in a large event takes. The quickest of each is
// what an idle machine does. `node test/browser/timing.mjs [runs]`
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launchWith, serve } from "./harness.mjs";

const SLOW = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };
const RUNS = Number(process.argv[2] ?? 3);
const VISITS = ["cold", "warm", "warm again"];
/** As large as events can be on EventBridge. */
const LARGE = 256 * 1024;

const server = await serve({ compressed: true });

async function slowed(context) {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", SLOW);
  await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  return { page, session };
}

/** Milliseconds from the start of navigation to the answer on the page, and what was transferred. */
async function visit(context) {
  const { page, session } = await slowed(context);
  let bytes = 0;
  session.on("Network.loadingFinished", ({ encodedDataLength }) => (bytes += encodedDataLength));
  await page.goto(server.url);
  await page.waitForSelector("html[data-ready]");
  const marks = await page.evaluate(() => {
    const at = (name) => performance.getEntriesByName(name)[0]?.startTime ?? 0;
    return { painted: at("first-contentful-paint"), script: at("script"), module: at("module"), answered: at("answered"), ready: at("ready") };
  });
  const kb = bytes / 1024;
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForFunction(() => caches.keys().then((keys) => keys.length > 0));
  await page.waitForTimeout(3_000);
  await page.close();
  return { ...marks, kb };
}

/** Milliseconds of computing and drawing an answer after each of a few keys in a large event, at the processor's own speed. */
async function keys(context) {
  const page = await context.newPage();
  await page.goto(server.url);
  await page.waitForSelector("html[data-ready]");
  const items = [];
  for (let size = 0; size < LARGE - 8_192; size += 100) items.push({ id: items.length, name: "item", tags: ["a", "b"], total: 1.5 });
  const text = JSON.stringify({ source: "aws.ec2", detail: { state: "stopped", items } }, null, 1).slice(0, LARGE);
  await page.locator("#event-editor .cm-content").click();
  await page.keyboard.press("ControlOrMeta+a");
  // As from the clipboard: what is typed goes through the document, which takes a browser minutes at this size.
  await page.locator("#event-editor .cm-content").evaluate((element, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    element.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, text);
  await page.keyboard.press("ControlOrMeta+Home");
  const took = [];
  for (const key of " \n  \n \n\n \n ") {
    await page.keyboard.insertText(key);
    took.push(await page.evaluate(() => performance.getEntriesByName("answer").at(-1)?.duration ?? 0));
  }
  await page.close();
  return took;
}

const best = new Map();
const seconds = (ms) => `${(ms / 1000).toFixed(2)} s`;
console.log("| visit | first paint | script runs | module runs | first answer | editors | transferred until then |\n| --- | --: | --: | --: | --: | --: | --: |");
const line = (name, { painted, script, module, answered, ready, kb }) => console.log(`| ${name} | ${[painted, script, module, answered, ready].map(seconds).join(" | ")} | ${kb.toFixed(0)} KB |`);
let slowest = [];
for (let run = 1; run <= RUNS; run += 1) {
  const profile = mkdtempSync(join(tmpdir(), "eventrie-timing-"));
  const context = await launchWith(profile, { viewport: { width: 1440, height: 900 } });
  for (const name of VISITS) {
    const found = await visit(context);
    line(`${name} ${run}`, found);
    if (found.answered < (best.get(name)?.answered ?? Infinity)) best.set(name, found);
  }
  slowest = [...slowest, await keys(context)];
  await context.close();
  rmSync(profile, { recursive: true, force: true });
}
for (const [name, found] of best) line(`**${name}, the quickest**`, found);
console.log(`\na key in an event of 256 KB: ${slowest.map((took) => took.map((ms) => ms.toFixed(0)).join(", ")).join("; ")} ms`);
await server.stop();
