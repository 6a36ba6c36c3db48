import { existsSync } from "node:fs";
import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core";

const switches = [
  "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync",
];

export function launch(): Promise<Browser> {
  const usual = "/usr/bin/chromium";
  const executablePath = process.env.CHROMIUM ?? (existsSync(usual) ? usual : "chromium");
  return chromium.launch({ executablePath, args: switches });
}

export const desktop = { width: 1440, height: 900 };
export const phone = { width: 390, height: 844 };

export interface VisitOptions extends BrowserContextOptions {
  /** Whom the page may ask beside the site itself. */
  others?: string[];
}

/** Whatever is done from now on meets the page's own script, and not only its document. */
export async function live(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    // What has no script, such as an answer in plain text, is as live as it gets.
    if (!document.getElementById("app")) return true;
    const main = document.querySelector("#app main");
    return main !== null && Object.keys(main).some((key) => key.startsWith("__reactFiber"));
  });
}

/**
 * A page of its own; what goes wrong in it unseen is added to `problems`: errors in its console, exceptions,
 * requests to anybody else. Motion is reduced unless a test is about motion, so that nothing is measured halfway.
 */
export async function visit(browser: Browser, origin: string, { others = [], ...options }: VisitOptions, problems: string[]) {
  const context = await browser.newContext({ baseURL: origin, viewport: desktop, reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  page.on("console", (message) => message.type() === "error" && problems.push(`${message.text()} ${message.location().url}`));
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("request", (request) => {
    const known = [origin, "data:", ...others].some((start) => request.url().startsWith(start));
    if (!known) problems.push(`a request to ${request.url()}`);
  });
  return { page, close: () => context.close() };
}
