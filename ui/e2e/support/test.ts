import type { Browser, Page } from "playwright-core";
import { expect, test as base } from "vitest";
import { launch, live, visit, type VisitOptions } from "./browser";
import { Showcase, type Setting } from "./showcase";

export interface OpenOptions extends VisitOptions {
  prepare?: (page: Page) => Promise<void>;
  /** Does not wait for the page's script. */
  asItCame?: boolean;
}

export type Open = (path: string, options?: OpenOptions) => Promise<Page>;

interface Fixtures {
  showcase: Showcase;
  browser: Browser;
  /** Errors in the page that a visitor does not see. A test that causes one on purpose removes it from the list. */
  problems: string[];
  /** Opens a page. Every error in it that is left in `problems` fails the test. */
  open: Open;
}

/** A server with this setting, which starts after `prepare`. */
const server = (setting?: Setting, prepare?: (showcase: Showcase) => void) => async ({}, use: (showcase: Showcase) => Promise<void>) => {
  const showcase = new Showcase(setting);
  prepare?.(showcase);
  await showcase.start();
  await use(showcase);
  await showcase.end();
};

/** One server and one browser for each test file, and new pages for each test. */
export const test = base.extend<Fixtures>({
  showcase: [server(), { scope: "file" }],
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
      await prepare?.(opened.page);
      await opened.page.goto(path);
      if (!asItCame && options.javaScriptEnabled !== false) await live(opened.page);
      return opened.page;
    });
    for (const close of closing) await close();
    expect(problems).toEqual([]);
  },
});

/** With a server of its own setting. */
export const testWith = (setting: Setting, prepare?: (showcase: Showcase) => void) => test.extend<{ showcase: Showcase }>({ showcase: [server(setting, prepare), { scope: "file" }] });

/** Moves the event and the portal's deadline into the future. */
export const moveEvent = (showcase: Showcase) => showcase.changeContent("2026", "2056");

/** With a server whose event and portal deadline are still ahead. */
export const beforeTheEvent = (setting: Setting = {}) => testWith(setting, moveEvent);

export { expect };
