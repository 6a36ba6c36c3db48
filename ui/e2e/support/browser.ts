import { existsSync } from "node:fs";
import { chromium, firefox, type Browser, type BrowserContextOptions, type Page } from "playwright-core";

const switches = [
  "--disable-gpu", "--disable-quic",
  // Frames share the page's process. Otherwise Chromium routes a click by the last painted picture, and a press on a
  // button that has just been scrolled into view can land in the frame that was there before.
  "--disable-site-isolation-trials",
];

interface LaunchOptions {
  /** Variables of the browser's environment. */
  environment?: Record<string, string>;
  /**
   * The browser as people have it: with its own requests for icons, its own limit from where it loads a lazy image and its
   * back/forward cache, and without cookies and storage for frames of other sites.
   */
  whole?: boolean;
  /** More command-line options of the browser. */
  more?: string[];
}

/** Unless the whole browser is asked for, its shell without windows, which takes half the processor time. */
export function launch({ environment = {}, whole = false, more = [] }: LaunchOptions = {}): Promise<Browser> {
  const { FIREFOX } = process.env;
  // Without a driver program between them: over WebDriver BiDi, which Firefox itself speaks. It has no command for reduced motion.
  if (FIREFOX) return firefox.launch({ channel: "moz-firefox", executablePath: FIREFOX, firefoxUserPrefs: { "ui.prefersReducedMotion": 1 } });
  const installed = [...(whole ? [] : ["/usr/bin/chromium-headless-shell"]), "/usr/bin/chromium"].find((file) => existsSync(file));
  const executablePath = process.env.CHROMIUM ?? installed ?? "chromium";
  const ignoreDefaultArgs = whole ? ["--disable-back-forward-cache"] : [];
  return chromium.launch({ executablePath, ignoreDefaultArgs, args: [...switches, ...more], env: { ...process.env, ...environment } as Record<string, string> });
}

export const desktop = { width: 1440, height: 900 };
export const phone = { width: 390, height: 844 };

export interface VisitOptions extends BrowserContextOptions {
  /** Origins besides the site itself that the page may send requests to. */
  others?: string[];
}

/** How many times slower than this machine each page runs: `SLOWDOWN=6` finds tests that rest on speed. */
const slowdown = Number(process.env.SLOWDOWN ?? 1);

/** How long an expected result may take on a busy machine, in milliseconds. */
export const timeout = 30_000;

/** Doubles the size of the text, as a reader may. */
export async function doubleText(page: Page): Promise<void> {
  await page.evaluate(() => document.documentElement.style.setProperty("font-size", "212.5%"));
}

/** Waits until the page is hydrated and its fonts are loaded. */
export async function live(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const app = document.getElementById("app");
    // A document without the app, such as a plain text, has nothing to hydrate.
    if (!app) return true;
    if (!("live" in app.dataset)) return false;
    // Islands further down are hydrated only when they come near the window.
    return document.querySelectorAll("[data-island]:not([data-live], [data-when=near])").length === 0;
  });
  await page.evaluate(() => document.fonts.ready.then(() => {}));
}

/** The title of a page. */
export const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });

/** Loads another address and waits until the page is live. */
export async function goTo(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await live(page);
}

/** The same address by a full load, until the page is live. */
export async function reload(page: Page): Promise<void> {
  await page.reload();
  await live(page);
}

/** Gives the window another size, until the page has it. */
export async function resize(page: Page, { width, height }: { width: number; height: number }): Promise<void> {
  await page.setViewportSize({ width, height });
  await page.waitForFunction((wanted) => innerWidth === wanted.width && innerHeight === wanted.height, { width, height });
}

/**
 * React handles a key or a click at once, but pointer moves, replies of the server and effects in later tasks. This waits
 * for them: a message that the page posts to itself queues behind them.
 */
export async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    // One for what is shown, one for its effects, and again for what these have changed.
    for (let turns = 0; turns < 4; turns += 1) {
      await new Promise<void>((settle) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => settle();
        port2.postMessage(null);
      });
    }
  });
}

/** The paths of the API that a test answers with an error itself, by page. */
const refused = new WeakMap<Page, Set<string>>();

/** The browser reports an error that this path answers in its console. From now on that is no problem. */
export function expectRefusal(page: Page, path: string): void {
  refused.set(page, (refused.get(page) ?? new Set()).add(path));
}

function isExpected(page: Page, text: string, url: string): boolean {
  return text.startsWith("Failed to load resource: the server responded with a status of") && Boolean(refused.get(page)?.has(new URL(url).pathname));
}

/** Over WebDriver BiDi, Playwright's `fill` sets a field's value by script, which React does not notice. This inserts it as if it were typed. */
function typeAsPeopleDo(): void {
  const insert = (text: string) => void document.execCommand("insertText", false, text);
  Object.defineProperty(window, "__pw_bidiInsertText", { get: () => insert, set: () => {} });
}

/** Firefox calls it an error when a page without a network wants another font. */
const isMissingFont = (text: string) => text.startsWith("downloadable font");

/**
 * A page of its own; what goes wrong unseen in it, and in other tabs of it, is added to `problems`: errors in its console,
 * exceptions, requests to anybody else. Motion is reduced unless a test is about motion, so that nothing is measured halfway.
 */
export async function visit(browser: Browser, origin: string, { others = [], ...options }: VisitOptions, problems: string[]) {
  const context = await browser.newContext({ baseURL: origin, viewport: desktop, reducedMotion: "reduce", ...options });
  if (process.env.FIREFOX) await context.addInitScript(typeAsPeopleDo);
  const page = await context.newPage();
  if (slowdown > 1) await (await context.newCDPSession(page)).send("Emulation.setCPUThrottlingRate", { rate: slowdown });
  context.on("console", (message) => {
    const { url } = message.location();
    if (message.type() !== "error" || isMissingFont(message.text())) return;
    if (!isExpected(message.page() ?? page, message.text(), url)) problems.push(`${message.text()} ${url}`);
  });
  context.on("weberror", (error) => {
    if (!isMissingFont(String(error.error()))) problems.push(String(error.error()));
  });
  context.on("request", (request) => {
    const known = [origin, "data:", ...others].some((start) => request.url().startsWith(start));
    if (!known) problems.push(`a request to ${request.url()}`);
  });
  return { page, close: () => context.close() };
}

/** Adds up the layout shifts of a page that follow no input. Runs in the page. */
export function watchShifts(): void {
  const seen = globalThis as unknown as { shifted: number };
  seen.shifted = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]) {
      if (!entry.hadRecentInput) seen.shifted += entry.value;
    }
  }).observe({ type: "layout-shift", buffered: true });
}

/** The layout shift since `watchShifts` ran. */
export const shifted = (page: Page) => page.evaluate(() => (globalThis as unknown as { shifted: number }).shifted);
