import { mkdtempSync, writeFileSync } from "node:fs";
import http from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Page } from "playwright-core";
import { describe } from "vitest";
import { openAdmin } from "./support/admin";
import { desktop, goTo, launch, phone, shifted, visit, watchShifts } from "./support/browser";
import { publicPages } from "./support/pages";
import { expect, test as base } from "./support/test";

const test = base.extend({
  browser: [async ({}, use) => {
    const browser = await launch({ whole: true });
    await use(browser);
    await browser.close();
  }, { scope: "file" }],
});

/** In bytes, as brotli sends them. React alone is 50,000; the entry is counted before Stripe's own script, and the portal has some 30,000 of its own, most of which a model does not load. */
const scripts = { home: 75_000, form: 105_000, entry: 120_000, portal: 110_000, release: 75_000, judge: 100_000, admin: 120_000, other: 75_000 };
const mostRequests = 20;
/** Of pages that are reached by a personal link only: photos beside points, and styles for print. */
const styles: Record<string, number> = { "/judge": 14_500, "/score-sheet": 14_500 };
const budget = { html: 17_000, style: 13_000, fonts: 54_000, home: 160_000, homeRequests: 14 };

/** What the server really sends to a browser that takes brotli. */
function fetched(origin: string, path: string): Promise<{ bytes: number; encoding: string | undefined }> {
  return new Promise((settle, fail) => {
    http.get(origin + path, { headers: { "accept-encoding": "br" } }, (response) => {
      let bytes = 0;
      response.on("data", (part: Buffer) => (bytes += part.length)).on("error", fail);
      response.on("end", () => settle({ bytes, encoding: response.headers["content-encoding"] }));
    }).on("error", fail);
  });
}

async function total(origin: string, paths: string[]): Promise<number> {
  const files = await Promise.all([...new Set(paths)].map((path) => fetched(origin, path)));
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

function kindOf(path: string): keyof typeof scripts {
  if (path === "/") return "home";
  if (path === "/enter-competition") return "entry";
  if (path === "/artist-portal" || path === "/score-sheet") return "portal";
  if (path === "/release") return "release";
  if (path === "/judge") return "judge";
  return path.startsWith("/apply-") || path === "/sponsors" ? "form" : "other";
}

describe("what a page costs before anything happens", () => {
  test.for(publicPages)("%s", async (path, { showcase, open }) => {
    const { origin } = showcase;
    const html = await fetched(origin, path);
    expect(html.encoding).toBe("br");
    const loaded: Promise<number>[] = [];
    let requests = 0;
    const page = await open(path, { prepare: async (fresh) => {
      fresh.on("requestfinished", (request) => {
        requests++;
        if (request.resourceType() === "script") loaded.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
      });
    } });
    await page.waitForLoadState("networkidle");
    const addresses = (selector: string, name: string) =>
      page.locator(selector).evaluateAll((elements, attribute) => elements.map((element) => element.getAttribute(attribute) ?? ""), name);
    const tags = await page.locator("script[src]").evaluateAll((all) => all.map((one) => one.getAttribute("type")));
    expect(tags.every((type) => type === "module"), "no script blocks the first paint").toBe(true);
    const cost = {
      html: html.bytes,
      style: await total(origin, await addresses("link[rel=stylesheet]", "href")),
      fonts: await total(origin, await addresses("link[rel=preload][as=font]", "href")),
    };
    const script = (await Promise.all(loaded)).reduce((sum, size) => sum + size, 0);
    expect(script, `script of ${path}`).toBeLessThanOrEqual(scripts[kindOf(path)]);
    expect(requests, `requests of ${path}`).toBeLessThanOrEqual(mostRequests);
    for (const [part, most] of Object.entries(budget)) {
      if (part in cost) expect(cost[part as keyof typeof cost], `${part} of ${path}`).toBeLessThanOrEqual(part === "style" ? styles[path] ?? most : most);
    }
    if (process.env.SHOWCASE_BUDGETS) console.log(path, { ...cost, script, requests });
  });
});

describe("the organiser's pages", () => {
  test("start with at most 120 KB of script, which a visitor never loads", async ({ showcase, open }) => {
    const visited: string[] = [];
    const visitor = await open("/", { prepare: async (fresh) => void fresh.on("request", (request) => visited.push(new URL(request.url()).pathname)) });
    await goTo(visitor, "/schedule");
    const loaded: { path: string; size: Promise<number> }[] = [];
    const page = await openAdmin(open, showcase, "/export-data", { prepare: async (fresh) => {
      fresh.on("requestfinished", (request) => {
        if (request.resourceType() === "script") loaded.push({ path: new URL(request.url()).pathname, size: request.sizes().then(({ responseBodySize }) => responseBodySize) });
      });
    } });
    await page.waitForLoadState("networkidle");
    const own = loaded.filter(({ path }) => !visited.includes(path));
    const sum = async (files: typeof loaded) => (await Promise.all(files.map(({ size }) => size))).reduce((total, one) => total + one, 0);
    if (process.env.SHOWCASE_BUDGETS) console.log("/export-data", { script: await sum(loaded), own: await sum(own) });
    expect(await sum(loaded)).toBeLessThanOrEqual(scripts.admin);
    expect(await sum(own), "a visitor does not load these").toBeGreaterThan(30_000);
    for (const path of ["/apply-speaker", "/sponsors", "/enter-competition"]) {
      await goTo(visitor, path);
      await visitor.waitForLoadState("networkidle");
    }
    expect(visited.filter((path) => /\/(export-data|admin)-/.test(path))).toEqual([]);
  });
});

describe("the home page", () => {
  test.for([desktop, phone])("in all, at $width px", async (viewport, { open }) => {
    const sizes: Promise<number>[] = [];
    const page = await open("/", { viewport, prepare: async (fresh) => {
      fresh.on("requestfinished", (request) => sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize)));
    } });
    await page.waitForLoadState("networkidle");
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    if (process.env.SHOWCASE_BUDGETS) console.log("home in all", { bytes, requests: sizes.length });
    expect(bytes).toBeLessThanOrEqual(budget.home);
    expect(sizes.length).toBeLessThanOrEqual(budget.homeRequests);
  });
});

describe("nothing shifts", () => {
  test.for([desktop, phone])("while a page is loaded and read to its end, at $width px", async (viewport, { open }) => {
    // Here the fonts always arrive first. The next test is about late fonts.
    const page = await open("/faq", { viewport, reducedMotion: "no-preference", prepare: styleAfterFonts });
    expect(await shiftsOf(page)).toEqual({});
  });

  test("to speak of when the fonts come late", async ({ open }) => {
    await expectStillOnSlowLine(await open("/healthz", { viewport: phone, reducedMotion: "no-preference" }));
  });

  test.for(systems)("to speak of when the fonts come late on a system with $serif and $sans alone", async (system, { showcase }) => {
    const browser = await launch({ environment: { FONTCONFIG_FILE: onlyFonts(system) }, whole: true });
    try {
      const { page } = await visit(browser, showcase.origin, { viewport: phone, reducedMotion: "no-preference" }, []);
      await page.goto("/healthz");
      expect(await page.evaluate(installed, system), "the system's fonts are there, and no others").toEqual([true, true, false, false]);
      await expectStillOnSlowLine(page);
    } finally {
      await browser.close();
    }
  });
});

async function expectStillOnSlowLine(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.setCacheDisabled", { cacheDisabled: true });
  await session.send("Network.emulateNetworkConditions", { offline: false, latency: 60, downloadThroughput: 400_000, uploadThroughput: 100_000 });
  for (const [path, shift] of Object.entries(await shiftsOf(page))) expect(shift, path).toBeLessThan(0.005);
}

interface System {
  serif: string;
  sans: string;
  /** Its fonts' folder; `tests/install` fills the first. */
  folder: string;
}

const systems: System[] = [
  { serif: "Noto Serif", sans: "Roboto", folder: path.resolve("../target/test-fonts") },
  { serif: "DejaVu Serif", sans: "DejaVu Sans", folder: "/usr/share/fonts/truetype/dejavu" },
];

/** A configuration by which a browser knows the fonts of one folder, and no others. */
function onlyFonts({ serif, sans, folder }: System): string {
  const file = path.join(mkdtempSync(path.join(tmpdir(), "showcase-fonts-")), "fonts.conf");
  const alias = (generic: string, family: string) => `<alias><family>${generic}</family><prefer><family>${family}</family></prefer></alias>`;
  writeFileSync(file, `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>${folder}</dir>${alias("serif", serif)}${alias("sans-serif", sans)}<cachedir>${path.dirname(file)}</cachedir></fontconfig>`);
  return file;
}

/** Whether the system has its serif and sans, Liberation Serif, and Liberation Sans. */
function installed({ serif, sans }: System): boolean[] {
  const context = document.createElement("canvas").getContext("2d")!;
  const width = (font: string) => {
    context.font = `100px ${font}`;
    return context.measureText("Showcase").width;
  };
  // An installed font has the same width whatever its fallback is.
  return [serif, sans, "Liberation Serif", "Liberation Sans"].map((name) => width(`"${name}", serif`) === width(`"${name}", sans-serif`));
}

/** Holds back each page's style sheets, and with them the first paint, until its preloaded fonts have arrived. */
async function styleAfterFonts(page: Page): Promise<void> {
  await page.route("**/*.css", async (route) => {
    const haveCome = () => {
      const fonts = [...document.querySelectorAll<HTMLLinkElement>("link[rel=preload][as=font]")];
      return fonts.length > 0 && fonts.every(({ href }) => performance.getEntriesByName(href).length > 0);
    };
    // A page without its style paints nothing and runs no animation frames, which is how Playwright polls by default.
    await page.waitForFunction(haveCome, undefined, { polling: 20 });
    await route.fallback();
  });
}

/** The layout shift of each page that has any. */
async function shiftsOf(page: Page): Promise<Record<string, number>> {
  const shifts: Record<string, number> = {};
  for (const path of publicPages) {
    await goTo(page, path);
    await page.evaluate(watchShifts);
    await page.evaluate(() => document.fonts.ready);
    await page.mouse.wheel(0, 100_000);
    await page.waitForLoadState("networkidle");
    const shift = await shifted(page);
    if (shift > 0) shifts[path] = shift;
  }
  return shifts;
}
