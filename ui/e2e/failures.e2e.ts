import type { Page } from "playwright-core";
import { describe } from "vitest";
import { forgetRefused, openAdmin } from "./support/admin";
import { live, timeout } from "./support/browser";
import { publicPages } from "./support/pages";
import { expect, test } from "./support/test";

const notice = (page: Page) => page.getByText("This page has not loaded completely");
const nameOf = (address: string) => new URL(address).pathname;

const scrollToTheEnd = () => document.querySelector("#waitlist, #inquiry")?.scrollIntoView({ behavior: "instant" });

/** Scrolls to the end of the page and waits for the parts that load when they come near the window. */
async function readToTheEnd(page: Page): Promise<void> {
  await page.waitForLoadState("networkidle");
  await page.evaluate(scrollToTheEnd);
  await page.waitForFunction(() => document.querySelector("[data-island]:not([data-live])") === null);
}

/** The visible text of the page's main part. */
const words = (page: Page) => page.evaluate(() => (document.querySelector("main")?.innerText ?? "").replace(/\s+/g, " "));

/** What the browser and the page say about a script that did not load. */
const notLoaded = ["net::ERR_FAILED", "dynamically imported module"];
/** What React and the browser say about a part that has thrown. */
const thrown = ["Cannot read properties of undefined", "is not a function"];

/** Pages whose text the browser renders. */
const madeInBrowser = ["/export-data", "/artist-portal", "/release", "/score-sheet", "/judge"];

describe("a page whose script does not load", () => {
  test.for([...publicPages, "/export-data"])("%s keeps its content and says what to do, whichever file is missing", async (path, { showcase, open, problems }) => {
    const asked = new Set<string>();
    const whole = await open(path, { prepare: async (fresh) => void fresh.on("request", (request) => request.resourceType() === "script" && asked.add(nameOf(request.url()))) });
    await readToTheEnd(whole);
    const before = madeInBrowser.includes(path) ? "" : await words(whole);
    // These pages also preload the code for people who have signed in; only they notice if it is missing.
    const html = ["/artist-portal", "/judge"].includes(path) ? await (await fetch(showcase.origin + path)).text() : "";
    const needed = [...asked].filter((file) => html === "" || html.includes(file));
    expect(needed.length).toBeGreaterThan(2);
    const without = async (missing: string) => {
      let documents = 0;
      const page = await open(path, { asItCame: true, prepare: async (fresh) => {
        fresh.on("request", (request) => { if (request.isNavigationRequest()) documents += 1; });
        await fresh.route((url) => url.pathname === missing, (route) => route.abort());
      } });
      // Each check reads the page anew, because it may be reloading itself.
      await expect.poll(async () => {
        await page.evaluate(scrollToTheEnd);
        // The animation that shows the notice has a delay of 12 s. It is skipped.
        await page.evaluate(() => document.getAnimations().forEach((animation) => animation.effect?.getTiming().delay === 12_000 && animation.finish()));
        return notice(page).isVisible();
      }, { timeout: 4 * timeout, message: `${path} without ${missing}` }).toBe(true);
      await expect.poll(async () => (await words(page)).length, { timeout: 4 * timeout, message: `${path} without ${missing} keeps its text` }).toBeGreaterThan(0.85 * before.length);
      await expect.poll(() => page.locator("form[data-waiting]").evaluateAll((forms) => forms.every((form) =>
        (form as HTMLElement).innerText.includes("did not load completely and cannot be sent yet")
        && getComputedStyle(form.querySelector("[type=submit]")!).backgroundColor !== "rgb(169, 58, 85)")),
      { timeout: 4 * timeout, message: `forms of ${path} without ${missing} say so` }).toBe(true);
      expect(documents, `${path} without ${missing} is loaded again at most once`).toBeLessThanOrEqual(2);
      await notice(page).getByRole("link", { name: "Reload" }).waitFor();
      await page.context().close();
    };
    // They mostly wait, so a few at a time take hardly longer than one.
    for (let next = 0; next < needed.length; next += 4) await Promise.all(needed.slice(next, next + 4).map(without));
    forgetRefused(problems, ...notLoaded);
  });
});

describe("a chunk that is gone since the site was updated", () => {
  test("is fetched again by a reload, which keeps what was typed", async ({ open, problems }) => {
    let release = () => {};
    const typed = new Promise<void>((settle) => (release = settle));
    let documents = 0;
    const page = await open("/apply-speaker", { asItCame: true, prepare: async (fresh) => {
      fresh.on("request", (request) => { if (request.isNavigationRequest()) documents += 1; });
      await fresh.route("**/assets/application-form-*.js", async (route) => {
        // The document of the new build names a file that exists.
        if (documents > 1) return route.fallback();
        await typed;
        await route.abort();
      });
    } });
    await page.getByRole("textbox", { name: "Full name" }).fill("Ada Sample");
    release();
    await page.getByText("We kept what you typed last time").waitFor();
    await live(page);
    expect(await page.getByRole("textbox", { name: "Full name" }).inputValue()).toBe("Ada Sample");
    expect(await notice(page).isVisible()).toBe(false);
    expect(documents).toBe(2);
    forgetRefused(problems, ...notLoaded);
  });

  test("of a part below the window reloads the page once, and not after it was read for long", async ({ open, problems }) => {
    let documents = 0;
    const page = await open("/", { prepare: async (fresh) => {
      fresh.on("request", (request) => { if (request.isNavigationRequest()) documents += 1; });
      await fresh.route("**/assets/registration-form-*.js", (route) => route.abort());
    } });
    await page.getByRole("heading", { level: 2 }).last().scrollIntoViewIfNeeded();
    await expect.poll(() => documents).toBe(2);
    await live(page);
    await page.locator("#waitlist").scrollIntoViewIfNeeded();
    await expect.poll(() => notice(page).isVisible()).toBe(true);
    expect(await page.locator("#waitlist form").isVisible()).toBe(true);
    expect(documents).toBe(2);
    forgetRefused(problems, ...notLoaded);
  });

  test("is not reloaded without a connection, which would lose the page", async ({ open, problems }) => {
    let documents = 0;
    const page = await open("/apply-judge", { asItCame: true, prepare: async (fresh) => {
      fresh.on("request", (request) => { if (request.isNavigationRequest()) documents += 1; });
      await fresh.route((url) => url.pathname === "/apply-judge", (route) => (route.request().method() === "HEAD" ? route.abort() : route.fallback()));
      await fresh.route("**/assets/application-form-*.js", (route) => route.abort());
    } });
    await expect.poll(() => notice(page).isVisible()).toBe(true);
    expect(documents).toBe(1);
    forgetRefused(problems, ...notLoaded);
  });
});

describe("a part that fails", () => {
  test("leaves what the server rendered on the page, with its links", async ({ open, problems }) => {
    const page = await open("/faq", { asItCame: true, prepare: async (fresh) => {
      await fresh.route((url) => url.pathname === "/faq", async (route) => {
        const reply = await route.fetch();
        await route.fulfill({ response: reply, body: (await reply.text()).replace(/data-props="[^"]*"/, 'data-props="{}"') });
      });
    } });
    await expect.poll(() => notice(page).isVisible()).toBe(true);
    expect(await page.getByRole("main").getByRole("button").count()).toBeGreaterThan(4);
    expect(await page.locator(".kept .question").count()).toBeGreaterThan(0);
    await page.locator(".fold").nth(1).getByRole("button").click();
    await expect.poll(() => page.locator(".fold").nth(1).getByRole("button").getAttribute("aria-expanded")).toBe("true");
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "About" }).click();
    await page.waitForURL("**/about");
    await live(page);
    expect(await notice(page).isVisible()).toBe(false);
    forgetRefused(problems, ...thrown);
  });

  test("on the organiser's start page leaves the other sections", async ({ open, showcase, problems }) => {
    const page = await openAdmin(open, showcase, "/export-data", { replies: { "/api/tallies": { days: 7, categories: 7 } } });
    await page.getByText("This section could not be shown.").first().waitFor();
    await page.getByRole("heading", { name: "Latest" }).waitFor();
    expect(await page.getByRole("button", { name: "Reload" }).first().isVisible()).toBe(true);
    forgetRefused(problems, ...thrown);
  });
});
