#!/usr/bin/env node
// Draws the picture that links to the page are shown with, `www/public/preview.png`, in the built page's own fonts and colors.
// `node test/browser/preview.mjs` after `npm run page`, when the words change.
import { join } from "node:path";
import { ROOT } from "../files.mjs";
import { launch, serve, visit } from "./harness.mjs";

const CARD = `
<div class="card">
  <p class="name">eventrie</p>
  <h1>Why did my rule not fire?</h1>
  <div class="sides">
    <pre>{
  "source": ["aws.ec2"],
  "detail": {
    "state": [<mark class="no">"stopped"</mark>]
  }
}</pre>
    <pre>{
  "source": "aws.ec2",
  "detail": {
    "state": <mark class="no">"Stopped"</mark>
  }
}</pre>
  </div>
  <p class="said"><em>No match</em> — they differ only in case</p>
  <p class="what">EventBridge and SNS pattern tester. Nothing leaves your browser.</p>
</div>
<style>
  body { display: block; }
  .card { width: 1200px; height: 630px; padding: 54px 72px; display: flex; flex-direction: column; background: var(--paper); }
  .card .name { font: 500 30px var(--mono); }
  .card h1 { font: italic 400 66px/1.2 var(--serif); margin: 12px 0 26px; }
  .card .sides { display: grid; grid-template-columns: 1fr 1fr; gap: 28px; }
  .card pre { margin: 0; padding: 20px 26px; background: var(--sheet); border: 1px solid var(--rule); border-radius: 12px; font: 400 25px/1.42 var(--mono); }
  .card mark { background: var(--missed-wash); color: var(--missed); border-bottom: 3px dashed var(--missed); }
  .card .said { font: 400 38px/1.2 var(--serif); margin-top: 28px; }
  .card .said em { color: var(--missed); }
  .card .what { margin-top: auto; font: 400 25px var(--sans); color: var(--ink-2); }
</style>`;

const server = await serve();
const driver = await launch();
try {
  const { page } = await visit(driver.browser, server.url, { viewport: { width: 1200, height: 630 } });
  await page.evaluate((card) => (document.body.innerHTML = card), CARD);
  await page.evaluate(() => Promise.all(["italic 400 66px 'Plex Serif'", "400 38px 'Plex Serif'", "400 25px 'Plex Mono'", "400 25px 'Plex Sans'"].map((font) => document.fonts.load(font))));
  await page.screenshot({ path: join(ROOT, "wasm", "www", "public", "preview.png") });
} finally {
  await driver.stop();
  await server.stop();
}
