#!/usr/bin/env node
// Takes pictures of the built page for people to look at: nine scenes in three sizes, light and dark, into
// `wasm/screenshots/`. `node test/browser/screenshots.mjs [part of a name]`
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../files.mjs";
import { launch, serve, visit } from "./harness.mjs";

const SHOTS = join(ROOT, "wasm", "screenshots");
const SIZES = {
  wide: { viewport: { width: 1440, height: 900 } },
  tablet: { viewport: { width: 1024, height: 768 } },
  phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true },
};

const example = async (page, title) => {
  await page.click("#examples-open");
  await page.locator(".example", { hasText: title }).first().click();
};
const write = async (page, id, text) => {
  await page.locator(`#${id} .cm-content`).click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText(text);
};
const paste = (page, id, text) =>
  page.locator(`#${id} .cm-content`).evaluate((element, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    element.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, text);

const NAMES = ["order-placed", "order-cancelled", "large-orders", "refund-requested", "stock-low", "payment-failed", "customer-created", "shipment-delayed", "invoice-sent", "coupon-used", "fraud-suspected", "nightly-report"];
const TYPES = ["Order Placed", "Order Cancelled", "Refund Requested", "Payment Failed", "Shipment Delayed", "Invoice Sent"];
/** What `aws events list-rules` prints for twelve rules. */
const RULES = JSON.stringify({
  Rules: NAMES.map((Name, index) => ({
    Name,
    State: index === 11 ? "DISABLED" : "ENABLED",
    EventPattern: JSON.stringify({ source: ["shop"], ...(index === 2 ? { detail: { total: [{ numeric: [">", 100] }] } } : { "detail-type": [Name.split("-").map((word) => word[0].toUpperCase() + word.slice(1)).join(" ")] }) }),
  })),
});
const EVENTS = TYPES.map((type, index) => JSON.stringify({ source: "shop", "detail-type": type, detail: { id: `o-${index}`, total: 40 * index } })).join("\n");

const SCENES = {
  "first-visit": async () => {},
  mismatch: (page) => example(page, "Almost: a capital letter"),
  "syntax-error": (page) => write(page, "rule-editor", '{\n  "source": ["aws.ec2"],\n  "detail": {\n    "state": ["stopped",]\n  }\n}'),
  refused: (page) => example(page, "An invalid pattern"),
  "sns-attributes": (page) => example(page, "SNS attributes"),
  subscriber: (page) => example(page, "A subscriber that receives nothing"),
  "subscriber-entry": async (page) => {
    await example(page, "A subscriber that receives nothing");
    await page.locator("#events .tab").nth(1).click();
  },
  "subscriber-refused": async (page) => {
    await example(page, "A subscriber that receives nothing");
    await page.locator('[data-scope="DATA"] .cm-content').click();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.insertText('{"detail": {"order": [{"wildcard": "o-*"}]}}');
  },
  "long-line": (page) => write(page, "rule-editor", '{"source": ["shop.orders"], "detail-type": ["Order Placed", "Order Cancelled"], "detail": {"total": [{"numeric": [">", "100"]}], "state": "paid"}}'),
  "sqs-record": (page) => example(page, "SQS: this message"),
  matrix: async (page) => {
    await paste(page, "rule-editor", RULES);
    await page.locator("#event-editor .cm-content").click();
    await page.keyboard.press("ControlOrMeta+a");
    await paste(page, "event-editor", EVENTS);
  },
  finding: async (page) => {
    await page.evaluate(() => (location.hash = "#/E0006"));
    await page.waitForSelector("#guide article");
  },
  findings: async (page) => {
    await page.evaluate(() => (location.hash = "#/"));
    await page.waitForSelector("#guide article");
  },
  empty: (page) => page.click(".notice-action"),
  copy: (page) => page.click("#copy-open"),
};

const wanted = process.argv[2] ?? "";
mkdirSync(SHOTS, { recursive: true });
const server = await serve();
const driver = await launch();
try {
  // A link as one person shares it, for another to open.
  const sender = await visit(driver.browser, server.url);
  await example(sender.page, "The tree of $or");
  await sender.page.click("#share");
  await sender.page.waitForFunction(() => location.hash.startsWith("#1="));
  const link = new URL(sender.page.url()).hash;
  await sender.context.close();
  const opened = { ...SCENES, "shared-link": async () => {}, "damaged-link": async () => {} };
  for (const [size, options] of Object.entries(SIZES)) {
    for (const colorScheme of ["light", "dark"]) {
      for (const [name, play] of Object.entries(opened)) {
        const file = `${name}-${size}-${colorScheme}.png`;
        if (!file.includes(wanted)) continue;
        const fragment = { "shared-link": link, "damaged-link": link.slice(0, -30) }[name] ?? "";
        const { page, context, faults } = await visit(driver.browser, server.url + fragment, { ...options, colorScheme });
        await play(page);
        await page.mouse.move(0, 0);
        if (!["copy", "findings"].includes(name)) await page.evaluate(() => (document.activeElement?.blur(), window.scrollTo(0, 0)));
        await page.evaluate(() => document.fonts.ready);
        await page.waitForTimeout(700);
        await page.screenshot({ path: join(SHOTS, file) });
        if (faults.length) console.error(`${file}: ${faults.join("; ")}`);
        await context.close();
      }
    }
  }
} finally {
  await driver.stop();
  await server.stop();
}
console.log(`pictures are in ${SHOTS}`);
