import { describe } from "vitest";
import { hold } from "./support/admin";
import { expectAccessible } from "./support/axe";
import { live, phone, reload, settled } from "./support/browser";
import { expectFocus, press, tabTo } from "./support/keyboard";
import { expect, test } from "./support/test";

const mainPages = ["Home", "About", "Competition", "Speakers & Judges", "Sponsors", "Venue", "Schedule", "FAQ"];
const forms = ["Apply as Speaker", "Apply as Judge", "Apply as Sponsor", "Professional Demo", "Enter Competition"];

test("what is pressed before the scripts have come is not lost", async ({ open }) => {
  let letCome = () => {};
  const page = await open("/", { asItCame: true, prepare: async (fresh) => void (letCome = await hold(fresh, /entry-client/)) });
  const button = page.getByRole("button", { name: "Apply / Forms" });
  await button.click();
  expect(await button.getAttribute("aria-expanded")).toBe("false");
  letCome();
  await expect.poll(() => button.getAttribute("aria-expanded")).toBe("true");
});

test("who types before the scripts have come stays in the field, also where a link led to a heading", async ({ open }) => {
  let letCome = () => {};
  const page = await open("/#waitlist", { asItCame: true, prepare: async (fresh) => void (letCome = await hold(fresh, /entry-client/)) });
  const field = page.getByLabel("Full name");
  await field.pressSequentially("Ada");
  letCome();
  await live(page);
  await settled(page);
  await page.keyboard.type(" Sample");
  expect(await field.inputValue()).toBe("Ada Sample");
});

describe("the router", () => {
  test("asks for one small document a page, moves focus and title, and walks back", { tags: ["firefox"] }, async ({ open }) => {
    const page = await open("/");
    const menu = page.getByRole("navigation", { name: "Main" });
    for (const [link, heading, title] of [["Venue", /./, /Venue/], ["Schedule", "Schedule", /^Schedule/], ["FAQ", "FAQ", /^FAQ/]] as const) {
      const documents: string[] = [];
      const note = (request: { resourceType: () => string; url: () => string }) =>
        ["document", "fetch", "xhr"].includes(request.resourceType()) && documents.push(new URL(request.url()).pathname);
      page.on("request", note);
      await press(page, menu.getByRole("link", { name: link }));
      await expectFocus(page.getByRole("heading", { level: 1, name: heading }));
      page.off("request", note);
      expect(documents).toEqual([`/page-data/${link.toLowerCase()}.json`]);
      expect(await page.title()).toMatch(title);
      expect(await page.evaluate(() => scrollY)).toBe(0);
      expect(await menu.getByRole("link", { name: link }).getAttribute("aria-current")).toBe("page");
    }
    await page.goBack();
    await expectFocus(page.getByRole("heading", { level: 1, name: "Schedule" }));
    expect(new URL(page.url()).pathname).toBe("/schedule");
  });

  test("restores the scroll position on the way back", async ({ open }) => {
    const page = await open("/about");
    // A font that loads later may move the text; the browser then scrolls to keep the reader's place.
    await page.evaluate(() => document.fonts.ready.then(() => scrollTo(0, 900)));
    await expect.poll(() => page.evaluate(() => (history.state as { scroll?: number } | null)?.scroll)).toBe(900);
    // On a busy machine Playwright's click scrolls the page first. A person's click on the menu, which is always in view, does not.
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "FAQ" }).evaluate((link: HTMLElement) => link.click());
    await expectFocus(page.getByRole("heading", { level: 1, name: "FAQ" }));
    await page.goBack();
    await page.getByRole("heading", { level: 1, name: "About the Showcase" }).waitFor();
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(900);
  });

  test("leads to the waitlist's heading from another page", async ({ open }) => {
    const page = await open("/venue");
    await press(page, page.getByRole("main").getByRole("link", { name: /waitlist/i }));
    await expectFocus(page.getByRole("heading", { name: "Join the waitlist" }));
    expect(page.url()).toMatch(/\/#waitlist$/);
  });
});

describe("the menu", () => {
  test("names every page, after a way to skip it", async ({ open }) => {
    const page = await open("/");
    await page.keyboard.press("Tab");
    const skip = page.getByRole("link", { name: "Skip to content" });
    await expectFocus(skip);
    await expectAccessible(page, "the skip link shown");
    await page.keyboard.press("Enter");
    await page.waitForURL(/#content$/);
    expect(await page.getByRole("navigation", { name: "Main" }).getByRole("listitem").filter({ visible: true }).allInnerTexts()).toEqual(mainPages);
  });

  test("opens the forms with arrow keys and closes on Escape, on leaving and outside", async ({ open }) => {
    const page = await open("/");
    const button = page.getByRole("button", { name: "Apply / Forms" });
    const link = (name: string) => page.getByRole("navigation", { name: "Main" }).getByRole("link", { name });
    await tabTo(page, button);
    await page.keyboard.press("Enter");
    await link("Apply as Speaker").waitFor();
    for (const name of forms) await link(name).waitFor();
    await expectAccessible(page, "the forms menu open");
    await page.keyboard.press("ArrowDown");
    await expectFocus(link("Apply as Speaker"));
    await page.keyboard.press("End");
    await expectFocus(link("Enter Competition"));
    await page.keyboard.press("Escape");
    await expectFocus(button);
    await link("Apply as Speaker").waitFor({ state: "hidden" });

    await page.keyboard.press("ArrowUp");
    await expectFocus(link("Enter Competition"));
    await page.keyboard.press("Tab");
    await link("Enter Competition").waitFor({ state: "hidden" });

    await button.click();
    await link("Apply as Judge").waitFor();
    await page.getByRole("heading", { level: 1 }).click();
    await link("Apply as Judge").waitFor({ state: "hidden" });

    await button.click();
    await link("Apply as Judge").click();
    await expectFocus(page.getByRole("heading", { level: 1, name: "Apply as Judge" }));
    await link("Apply as Judge").waitFor({ state: "hidden" });
  });

  test("on a phone opens, leads somewhere and closes", async ({ open }) => {
    const page = await open("/", { viewport: phone, hasTouch: true });
    const drawer = page.getByRole("navigation", { name: "Menu" });
    await press(page, page.getByRole("button", { name: "Open menu" }));
    await expect.poll(() => drawer.getByRole("listitem").allInnerTexts()).toEqual([...mainPages, ...forms]);
    await page.getByRole("dialog", { name: "Site menu" }).getByRole("button", { name: "Close menu" }).waitFor();
    await expectAccessible(page, "the mobile menu open");
    const reached = async () => page.evaluate(() => document.activeElement?.closest("main, footer, .chat-place, header, body")?.tagName);
    for (let presses = 0; presses < mainPages.length + forms.length + 3; presses += 1) {
      await page.keyboard.press("Tab");
      expect(["HEADER", "BODY"], "the page behind the menu is out of reach").toContain(await reached());
    }
    for (const link of await drawer.getByRole("link").all()) expect((await link.boundingBox())?.height).toBeGreaterThanOrEqual(44);
    await page.keyboard.press("Escape");
    await drawer.waitFor({ state: "hidden" });
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await expectFocus(page.getByRole("button", { name: "Open menu" }));
    await page.getByRole("button", { name: "Open menu" }).tap();
    await drawer.getByRole("link", { name: "FAQ" }).tap();
    await expectFocus(page.getByRole("heading", { level: 1, name: "FAQ" }));
    await drawer.waitFor({ state: "hidden" });
  });
});

test("the logo falls back to its other source, and then to a word", async ({ open, problems }) => {
  const page = await open("/", { prepare: async (fresh) => void await fresh.route(/\/logo-\w+\.svg/, (route) => route.fulfill({ status: 404 })) });
  const brand = page.getByRole("link", { name: /, home$/ });
  await expect.poll(() => brand.locator("img").getAttribute("src")).toBe("/logo-dark.png");
  await page.route(/logo-dark/, (route) => route.fulfill({ status: 404 }));
  await reload(page);
  await brand.getByText("Logo", { exact: true }).waitFor();
  // All four images are asked for again once the page is idle, whenever that is: a closed page says nothing more.
  await page.waitForLoadState("networkidle");
  await page.close();
  expect(problems.splice(0).filter((problem) => !problem.includes("logo"))).toEqual([]);
});
