// How long a judge waits for the next nomination, on a tablet: from the tap on "Next" to the frame that shows its code and
// its first photo, which was fetched while the judge looked at the one before. The processor is slowed four times.
//
//   npm ci && node next-nomination.mjs
//
// SHOWCASE_BINARY and CHROMIUM as in run.mjs. Ends with 0 when the slowest is below 300 ms.

import puppeteer from "puppeteer-core";
import { chromium, start } from "./program.mjs";

const aim = 300;
const rounds = 12;

process.exitCode = await main().catch(({ message }) => (console.error(message), 1));

async function main() {
  const server = await start({}, "--demo");
  const browser = await puppeteer.launch({ executablePath: chromium, args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"] });
  try {
    const link = server.said.map((line) => /\S+\/judge#\S+/.exec(line)?.[0]).find(Boolean);
    const page = await browser.newPage();
    await page.setViewport({ width: 1024, height: 768, deviceScaleFactor: 2, hasTouch: true });
    await page.goto(server.origin + new URL(link).pathname + new URL(link).hash);
    await (await page.waitForSelector("[aria-label='Nominations'] button, .judge-work button, main li button")).click();
    await page.waitForSelector("[aria-label='Nominations']");
    await page.emulateCPUThrottling(4);
    const times = [];
    let way = "Next";
    while (times.length < rounds) {
      // The page says when the photos of the next ones are there.
      await page.waitForNetworkIdle();
      const took = await page.evaluate(go, way);
      if (took === null) way = way === "Next" ? "Previous" : "Next";
      else times.push(took);
    }
    times.sort((a, b) => a - b);
    console.log(`next nomination, processor slowed 4 times: median ${Math.round(times[rounds / 2])} ms, slowest ${Math.round(times.at(-1))} ms of ${rounds} (aim ${aim})`);
    return times.at(-1) < aim ? 0 : 1;
  } finally {
    await browser.close();
    await server.stop();
  }
}

/** Runs in the page: taps, and returns the milliseconds until the new code and its photo are painted; `null` at the end of the list. */
async function go(way) {
  const button = [...document.querySelectorAll("[aria-label='Nominations'] button")].find(({ textContent }) => textContent === way);
  if (!button || button.getAttribute("aria-disabled") === "true") return null;
  const code = () => document.querySelector("h1").textContent;
  const before = code();
  const started = performance.now();
  button.click();
  const frame = () => new Promise((settle) => requestAnimationFrame(settle));
  const isThere = () => {
    const photo = document.querySelector(".viewer-panes img");
    return code() !== before && photo?.complete && photo.naturalWidth > 0;
  };
  while (!isThere()) await frame();
  await document.querySelector(".viewer-panes img").decode();
  await frame();
  return performance.now() - started;
}
