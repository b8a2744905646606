#!/usr/bin/env node
// How long a visitor waits for the first answer: on a slow connection (1.6 Mb/s, 150 ms) with a processor four times slower,
// first with nothing cached, then again with the service worker's cache. `node test/browser/timing.mjs`
import { launch, serve } from "./harness.mjs";

const SLOW = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };
const RUNS = 3;

const server = await serve({ compressed: true });
const driver = await launch();

/** Milliseconds from the start of navigation to the answer on the page, and what was transferred. */
async function visit(context) {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", SLOW);
  await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  let bytes = 0;
  session.on("Network.loadingFinished", ({ encodedDataLength }) => (bytes += encodedDataLength));
  await page.goto(server.url);
  await page.waitForSelector("html[data-ready]");
  const { answered, painted, script, module } = await page.evaluate(() => {
    const at = (name) => performance.getEntriesByName(name)[0]?.startTime ?? 0;
    return { answered: at("answered"), painted: at("first-contentful-paint"), script: at("script"), module: at("module") };
  });
  const then = bytes;
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForFunction(() => caches.keys().then((keys) => keys.length > 0));
  await page.waitForTimeout(3_000);
  await page.close();
  return { answered, painted, script, module, kb: then / 1024 };
}

console.log("| visit | first paint | script runs | module runs | first answer | transferred until then |\n| --- | --: | --: | --: | --: | --: |");
const seconds = (ms) => `${(ms / 1000).toFixed(2)} s`;
for (let run = 1; run <= RUNS; run += 1) {
  const context = await driver.browser.newContext({ viewport: { width: 1440, height: 900 } });
  for (const name of ["cold", "warm"]) {
    const { answered, painted, script, module, kb } = await visit(context);
    console.log(`| ${name} ${run} | ${seconds(painted)} | ${seconds(script)} | ${seconds(module)} | ${seconds(answered)} | ${kb.toFixed(0)} KB |`);
  }
  await context.close();
}
await driver.stop();
await server.stop();
