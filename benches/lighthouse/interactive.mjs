// How soon a page reacts on a slow phone: what hydrating the home page costs, and how long each key and click in the longest
// form takes until the frame that shows it.
//
//   npm ci && node interactive.mjs
//
// Hydration is the processor time of the page's scripts, from the execution of the first module until the frame and every
// island of the first view are live, times four. Processor time, because other programs disturb it less than the clock.
//
// The form is filled in by keyboard, clicked on and submitted with errors, several times. The slowest key or click is its INP,
// measured in two ways: the main thread's processor time until the next frame, times four, as a median; and Chromium's Event
// Timing with the processor slowed four times, by the clock in steps of 8 ms. The latter also waits until other programs and
// the software that draws without a graphics processor let the frame be shown, so the fastest fill counts for each step.
//
// SHOWCASE_BINARY and CHROMIUM as in run.mjs. Ends with 0 when hydration takes at most 250 ms and the slowest
// key or click at most 200 ms of processor time.

import puppeteer from "puppeteer-core";
import { chromium, start } from "./program.mjs";

const slowdown = 4;
const loads = 11;
const fills = 5;
const aims = { hydration: 250, interaction: 200 };
const form = "/apply-sponsor";
// With one pixel to a point: a phone has a graphics processor for the others.
const phone = { width: 390, height: 844, deviceScaleFactor: 1, isMobile: true, hasTouch: true };

process.exitCode = await main().catch(({ message }) => (console.error(message), 1));

async function main() {
  const server = await start();
  const browser = await puppeteer.launch({ executablePath: chromium, args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"] });
  try {
    const hydrations = [];
    for (let load = 0; load < loads; load += 1) hydrations.push(await onPhone(browser, 1, (page) => hydration(page, server.origin)));
    const script = median(hydrations) * slowdown;
    console.log(`/: hydration takes ${script.toFixed(0)} ms of script on a processor ${slowdown} times as slow (median of ${loads} loads; aim ${aims.hydration})`);

    const [worked, shown] = [[], []];
    for (let fill = 0; fill < fills; fill += 1) {
      worked.push(await onPhone(browser, 1, (page) => fillIn(page, server.origin + form)));
      shown.push(await onPhone(browser, slowdown, (page) => fillIn(page, server.origin + form)));
    }
    const steps = worked[0].map(({ label }, at) => ({
      label,
      busy: median(worked.map((run) => run[at].busy)) * slowdown,
      shown: Math.min(...shown.map((run) => run[at].shown)),
    }));
    const slowest = (by) => [...steps].sort((one, other) => other[by] - one[by])[0];
    const [busy, late] = [slowest("busy"), slowest("shown")];
    console.log(`${form}: the first letter takes ${steps[0].busy.toFixed(0)} ms of processor time and ${steps[0].shown} ms until it is shown; the slowest of ${steps.length} keys and clicks`);
    console.log(`  ${busy.busy.toFixed(0)} ms of processor time, ${busy.label}; ${late.shown} ms until it is shown, ${late.label} (${fills} fills each; aim ${aims.interaction})`);
    return script <= aims.hydration && busy.busy <= aims.interaction ? 0 : 1;
  } finally {
    await browser.close();
    await server.stop();
  }
}

/** A visit by a phone that has never been here. */
async function onPhone(browser, slowdown, visit) {
  const context = await browser.createBrowserContext();
  try {
    const page = await context.newPage();
    await page.setViewport(phone);
    await page.emulateCPUThrottling(slowdown);
    return await visit(page);
  } finally {
    await context.close();
  }
}

/** The processor time of the scripts, in milliseconds, from the first module until everything of the first view is live. */
async function hydration(page, address) {
  await page.evaluateOnNewDocument(() => {
    const isLive = () => document.getElementById("app")?.dataset.live !== undefined && !document.querySelector("[data-island]:not([data-live], [data-when=near])");
    new MutationObserver((_, observer) => {
      if (!isLive()) return;
      performance.mark("live");
      observer.disconnect();
    }).observe(document, { subtree: true, childList: true, attributeFilter: ["data-live"] });
  });
  await page.tracing.start({ categories: ["v8", "devtools.timeline", "blink.user_timing"] });
  await page.goto(address, { waitUntil: "load" });
  await page.waitForFunction(() => performance.getEntriesByName("live").length > 0);
  const { traceEvents } = JSON.parse(new TextDecoder().decode(await page.tracing.stop()));
  const live = traceEvents.find(({ name, cat }) => name === "live" && cat.includes("blink.user_timing"));
  const onThread = traceEvents.filter(({ pid, tid }) => pid === live.pid && tid === live.tid);
  const scripts = onThread.filter(({ name }) => /^(v8\.evaluateModule|v8\.callFunction|v8\.compileModule)$/.test(name)).sort((one, other) => one.ts - other.ts);
  // The boot script is the first module, and imports the others after the first paint.
  const [, first] = scripts.filter(({ name }) => name === "v8.evaluateModule");
  let [spent, counted] = [0, first.ts];
  for (const { ts, dur, tdur } of scripts) {
    // A function that another one has called is counted with it.
    if (ts < counted || ts > live.ts) continue;
    spent += tdur;
    counted = ts + dur;
  }
  return spent / 1000;
}

/** Fills in the whole form by keyboard, clicks on some places and submits it with errors. Returns what each step took, in milliseconds. */
async function fillIn(page, address) {
  await page.evaluateOnNewDocument(() => {
    window.interactions = [];
    new PerformanceObserver((list) => {
      for (const { interactionId, startTime, duration } of list.getEntries()) if (interactionId) window.interactions.push({ startTime, duration });
    }).observe({ type: "event", durationThreshold: 16, buffered: true });
  });
  await page.goto(address, { waitUntil: "load" });
  await page.waitForSelector("form input:not([type=hidden])", { visible: true });
  const session = await page.createCDPSession();
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const steps = [];
  const step = async (label, act) => {
    const from = await page.evaluate(() => performance.now());
    const before = await spent(session);
    await act();
    await nextFrame(page);
    steps.push({ label, from, busy: (await spent(session)) - before });
  };
  await page.focus("form input:not([type=hidden])");
  // At once, while the page may still hydrate.
  await step("the first letter", () => page.keyboard.press("a"));
  await page.waitForFunction(() => !document.querySelector("[data-island]:not([data-live])"));
  const fields = await page.$$eval("form :is(input, select, textarea):not([type=hidden])", (all) => all.filter((field) => field.checkVisibility()).length);
  for (let at = 0; at < fields; at += 1) {
    const { kind, label } = await page.evaluate(() => {
      const field = document.activeElement;
      return { kind: field.type ?? field.localName, label: field.labels?.[0]?.textContent.slice(0, 40) ?? field.textContent.slice(0, 40) };
    });
    if (kind === "submit" || kind === "button") break;
    if (kind === "checkbox" || kind === "radio") await step(`Space in "${label}"`, () => page.keyboard.press("Space"));
    else if (kind === "select-one") await step(`an arrow key in "${label}"`, () => page.keyboard.press("ArrowDown"));
    else for (const key of at === 0 ? "na" : "ana") await step(`a letter in "${label}"`, () => page.keyboard.press(key));
    await step(`Tab from "${label}"`, () => page.keyboard.press("Tab"));
  }
  await step("a click on a label", () => page.click("form label"));
  await step("submitting with errors", async () => (await page.$("form [type=submit]")).press("Enter"));
  await page.waitForSelector(".error-summary a");
  await step("a click on a listed error", () => page.click(".error-summary a"));
  await step("a letter that mends it", () => page.keyboard.press("a"));
  // The browser reports an interaction when its frame has been shown, which may be some steps later.
  await page.waitForFunction((from) => window.interactions.some(({ startTime }) => startTime >= from), {}, steps.at(-2).from).catch(() => {});
  const interactions = await page.evaluate(() => window.interactions);
  return steps.map(({ label, from, busy }, at) => {
    const to = steps[at + 1]?.from ?? Infinity;
    const durations = interactions.filter(({ startTime }) => startTime >= from && startTime < to).map(({ duration }) => duration);
    // The browser reports none that is shorter than 16 ms.
    return { label, busy, shown: Math.max(16, ...durations) };
  });
}

function nextFrame(page) {
  return page.evaluate(() => new Promise((settle) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(settle)))));
}

/** The main thread's work so far, in milliseconds. */
async function spent(session) {
  const { metrics } = await session.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === "TaskDuration").value * 1000;
}

function median(numbers) {
  return [...numbers].sort((one, other) => one - other)[Math.floor(numbers.length / 2)];
}
