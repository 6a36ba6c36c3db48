// What a key costs in the longest page of the website's editor: the schedule with every session open. Run it by hand. It
// counts the processor time of the page's main thread, which other programs disturb less than the clock.
//
//   npm ci && node editor-keystroke.mjs
//
// SHOWCASE_BINARY and CHROMIUM as in run.mjs. Ends with 0 when four times the median, the time on a slow phone, is below
// 50 ms for each field.

import puppeteer from "puppeteer-core";
import { chromium, start } from "./program.mjs";

const keys = 21;
const aim = 50;
const slow = 4;

process.exitCode = await main().catch(({ message }) => (console.error(message), 1));

async function main() {
  const server = await start({ SHOWCASE_ADMIN_PASSWORD: "seventy strokes a fan" });
  const browser = await puppeteer.launch({ executablePath: chromium, args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"] });
  try {
    const page = await browser.newPage();
    await page.setViewport({ width: 390, height: 844 });
    await page.goto(`${server.origin}/export-data/site?part=schedule`);
    await (await page.waitForSelector("input[type=password]")).type("seventy strokes a fan");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".site-part");
    // A day shows its sessions once it is open.
    for (let closed = 1; closed > 0; ) {
      closed = await page.$$eval(".site-fold-button[aria-expanded=false]", (buttons) => (buttons.forEach((button) => button.click()), buttons.length));
      await nextFrame(page);
    }
    const session = await page.createCDPSession();
    await session.send("Performance.enable", { timeDomain: "threadTicks" });
    let isGood = true;
    for (const [label, selector] of [["title", ".site-row .site-row .site-fold-body input:not([type=time])"], ["text", ".site-row .site-row .site-fold-body textarea"]]) {
      const fields = await page.$$(selector);
      await fields.at(-1).focus();
      const times = [];
      for (let key = 0; key < keys; key += 1) {
        const before = await spent(session);
        await page.keyboard.press("a");
        await nextFrame(page);
        times.push((await spent(session)) - before);
      }
      times.sort((a, b) => a - b);
      const median = times[Math.floor(keys / 2)];
      isGood &&= median * slow < aim;
      console.log(`a key in the ${label} of one of ${fields.length} sessions: ${median.toFixed(1)} ms of processor time, ${(median * slow).toFixed(0)} ms if it is ${slow} times as slow`);
    }
    return isGood ? 0 : 1;
  } finally {
    await browser.close();
    await server.stop();
  }
}

function nextFrame(page) {
  return page.evaluate(() => new Promise((settle) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(settle)))));
}

/** The main thread's work so far, in milliseconds. */
async function spent(session) {
  const { metrics } = await session.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === "TaskDuration").value * 1000;
}
