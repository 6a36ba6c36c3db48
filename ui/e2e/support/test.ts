import type { Browser, Page } from "playwright-core";
import { expect, test as base } from "vitest";
import { launch, live, timeout, visit, type VisitOptions } from "./browser";
import { Showcase, type Setting } from "./showcase";

interface OpenOptions extends VisitOptions {
  prepare?: (page: Page) => Promise<void>;
  /** Does not wait for the page's script. */
  asItCame?: boolean;
}

interface Fixtures {
  showcase: Showcase;
  browser: Browser;
  /** Errors in the page that a visitor does not see. A test that causes one on purpose removes it from the list. */
  problems: string[];
  /** Opens a page. Every error in it that is left in `problems` fails the test. */
  open: (path: string, options?: OpenOptions) => Promise<Page>;
}

/** One server and one browser for each test file, and new pages for each test. */
export const test = base.extend<Fixtures>({
  showcase: [async ({}, use) => {
    const showcase = new Showcase();
    await showcase.start();
    await use(showcase);
    await showcase.end();
  }, { scope: "file" }],
  browser: [async ({}, use) => {
    const browser = await launch();
    await use(browser);
    await browser.close();
  }, { scope: "file" }],
  problems: async ({}, use) => use([]),
  open: async ({ showcase, browser, problems }, use) => {
    const closing: (() => Promise<void>)[] = [];
    await use(async (path, { prepare, asItCame = false, ...options } = {}) => {
      const opened = await visit(browser, showcase.origin, options, problems);
      closing.push(opened.close);
      opened.page.setDefaultTimeout(timeout);
      await prepare?.(opened.page);
      await opened.page.goto(path);
      if (!asItCame && options.javaScriptEnabled !== false) await live(opened.page);
      return opened.page;
    });
    for (const close of closing) await close();
    expect(problems).toEqual([]);
  },
});

/** With a server whose event and portal deadline are still ahead. */
export const beforeTheEvent = (setting: Setting = {}) => test.extend<{ showcase: Showcase }>({
  showcase: [async ({}, use) => {
    const showcase = new Showcase(setting);
    showcase.changeContent("2026", "2056");
    await showcase.start();
    await use(showcase);
    await showcase.end();
  }, { scope: "file" }],
});

export { expect };
