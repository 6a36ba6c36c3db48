import { describe } from "vitest";
import { expectAccessible } from "./support/axe";
import { desktop, phone } from "./support/browser";
import { publicPages, unknownPage } from "./support/pages";
import { stickingOut } from "./support/sticking-out";
import { expect, test } from "./support/test";

const allPages = [...publicPages, unknownPage];

describe("every page", () => {
  for (const [name, viewport] of [["wide screen", desktop], ["phone", phone]] as const) {
    test(`passes axe on a ${name}`, async ({ open, problems }) => {
      const page = await open("/", { viewport });
      for (const path of allPages) {
        await page.goto(path);
        await expectAccessible(page, `${path} on a ${name}`);
      }
      problems.length = 0;
    }, 180_000);
  }

  test("fits a window of 320 px, and one of 390 px with its text at 200 %", async ({ open, problems }) => {
    const page = await open("/", { viewport: { width: 320, height: 640 } });
    const found: string[] = [];
    for (const path of allPages) {
      await page.setViewportSize({ width: 320, height: 640 });
      await page.goto(path);
      found.push(...(await stickingOut(page)).map((what) => `${path} at 320 px: ${what}`));
      await page.setViewportSize(phone);
      await page.evaluate(() => document.documentElement.style.setProperty("font-size", "212.5%"));
      found.push(...(await stickingOut(page)).map((what) => `${path} at 200 %: ${what}`));
    }
    problems.length = 0;
    expect(found).toEqual([]);
  }, 120_000);

  test("keeps its words in high contrast and in print", async ({ open }) => {
    const page = await open("/schedule", { forcedColors: "active" });
    // The system gives text and ground their colors; axe would compare with the authored ground.
    await expectAccessible(page, "the schedule in forced colors", ["color-contrast"]);
    await page.emulateMedia({ media: "print", forcedColors: "none" });
    expect(await page.getByRole("banner").isVisible()).toBe(false);
    for (const slot of await page.locator(".slot").all()) expect(await slot.isVisible()).toBe(true);
  });
});
