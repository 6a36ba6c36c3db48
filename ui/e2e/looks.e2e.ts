import { describe } from "vitest";
import { forgetRefused } from "./support/admin";
import { expectAccessible } from "./support/axe";
import { desktop, doubleText, goTo, phone, resize } from "./support/browser";
import { publicPages, unknownPage } from "./support/pages";
import { brokenWords } from "./support/broken-words";
import { stickingOut } from "./support/sticking-out";
import { expect, test } from "./support/test";

const allPages = [...publicPages, unknownPage];

describe("every page", () => {
  test("fits a small window and large text, passes axe in a wide and a narrow one, and has its heading in the site's own font", async ({ open, problems }) => {
    const small = { width: 320, height: 640 };
    const page = await open("/", { viewport: small });
    const browser = await page.context().newCDPSession(page);
    await browser.send("DOM.enable");
    await browser.send("CSS.enable");
    const fontsOfHeading = async () => {
      const { root } = await browser.send("DOM.getDocument");
      const { nodeId } = await browser.send("DOM.querySelector", { nodeId: root.nodeId, selector: "h1" });
      const { fonts } = await browser.send("CSS.getPlatformFontsForNode", { nodeId });
      return fonts.map(({ familyName }) => familyName.split(" ")[0]);
    };
    const found: string[] = [];
    for (const path of allPages) {
      await resize(page, small);
      await goTo(page, path);
      found.push(...(await stickingOut(page)).map((what) => `${path} at 320 px: ${what}`));
      await resize(page, phone);
      await expectAccessible(page, `${path} on a phone`);
      // Again, as a heading that is replaced meanwhile has no fonts.
      await expect.poll(fontsOfHeading, { message: `heading of ${path}` }).toEqual(["Fraunces"]);
      await doubleText(page);
      found.push(...(await stickingOut(page)).map((what) => `${path} at 200 %: ${what}`));
      await page.evaluate(() => document.documentElement.style.removeProperty("font-size"));
      await resize(page, desktop);
      await expectAccessible(page, `${path} on a wide screen`);
    }
    await goTo(page, "/export-data");
    await expect.poll(fontsOfHeading, { message: "heading of the organiser's pages" }).toEqual(["Fraunces"]);
    forgetRefused(problems, "404 (Not Found)");
    expect(found).toEqual([]);
  });

  test("breaks no word where the reader's own text is twice as large, on a phone", async ({ open }) => {
    const page = await open("/", { viewport: phone });
    const browser = await page.context().newCDPSession(page);
    // Unlike a size of the page's own, this is what its widths in rem are measured with.
    await browser.send("Page.setFontSizes", { fontSizes: { standard: 32 } });
    const found: string[] = [];
    for (const path of ["/", "/about", "/competition", "/speakers-judges", "/venue", "/faq", "/apply-sponsor", "/enter-competition"]) {
      await goTo(page, path);
      expect(await page.evaluate(() => matchMedia("(max-width: 18rem)").matches)).toBe(true);
      found.push(...(await brokenWords(page)).map((word) => `${path}: ${word}`));
    }
    expect(found).toEqual([]);
  });

  test("keeps its words in high contrast and in print", async ({ open }) => {
    const page = await open("/schedule", { forcedColors: "active" });
    // The system gives text and ground their colors; axe would compare with the authored ground.
    await expectAccessible(page, "the schedule in forced colors", ["color-contrast"]);
    await page.emulateMedia({ media: "print", forcedColors: "none" });
    expect(await page.getByRole("banner").isVisible()).toBe(false);
    for (const slot of await page.locator(".slot").all()) expect(await slot.isVisible()).toBe(true);
  });

  test("shows its marks in high contrast, too", async ({ open }) => {
    const page = await open("/", { forcedColors: "active", colorScheme: "dark" });
    const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const dots = await page.locator(".dot").evaluateAll((all) => all.map((dot) => getComputedStyle(dot, "::after").backgroundColor));
    expect(dots.length).toBeGreaterThan(0);
    expect(dots).not.toContain(ground);
    expect(new Set(dots).size, "the slide that is shown stands out").toBe(2);
    expect(await page.locator(".bar .logo img").evaluate((image) => getComputedStyle(image).filter)).toContain("invert");
  });

  test("leaves a phone's window to what is read when the text is large", async ({ open }) => {
    const page = await open("/competition", { viewport: phone });
    const size = () => page.getByRole("heading", { level: 1 }).evaluate((heading) => parseFloat(getComputedStyle(heading).fontSize));
    const before = await size();
    await doubleText(page);
    expect(await size()).toBeGreaterThan(1.2 * before);
    expect((await page.getByRole("banner").boundingBox())?.height).toBeLessThan(170);
    await page.evaluate(() => scrollTo({ top: 1200, behavior: "instant" }));
    const rest = await page.locator(".bar, .chat-place").evaluateAll((all) => all.map((element) => element.getBoundingClientRect()).filter(({ bottom, top }) => bottom > 0 && top < innerHeight).length);
    expect(rest, "nothing lies over the text").toBe(0);
  });

  test("keeps the chat button off the text of a phone, and in its menu", async ({ open }) => {
    const page = await open("/schedule", { viewport: phone });
    const chat = page.locator(".chat-button");
    expect((await chat.boundingBox())?.y, "at the end of the page").toBeGreaterThan(phone.height);
    await page.getByRole("button", { name: "Open menu" }).click();
    await page.getByRole("navigation", { name: "Menu" }).getByRole("link", { name: /Chat with us on WhatsApp/ }).waitFor();
  });

  test("keeps the chat button beside the text of a wide window", async ({ open }) => {
    const page = await open("/faq");
    const text = await page.locator(".faq").evaluate((element) => element.getBoundingClientRect().right - parseFloat(getComputedStyle(element).paddingRight));
    expect((await page.locator(".chat-button").boundingBox())?.x).toBeGreaterThanOrEqual(text);
  });

  test("prints each day of the schedule on one sheet", async ({ open }) => {
    const page = await open("/schedule");
    const sheets = (await page.pdf({ format: "Letter" })).toString("latin1").match(/\/Type \/Page\b(?!s)/g);
    expect(sheets).toHaveLength(2);
  });
});
