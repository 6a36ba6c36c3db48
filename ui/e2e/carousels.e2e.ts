import type { Locator, Page } from "playwright-core";
import { describe } from "vitest";
import { expectAccessible } from "./support/axe";
import { desktop, phone, settled } from "./support/browser";
import { expect, test } from "./support/test";

const categories = ["Lash Extensions", "Lash Lift", "Makeup Artistry", "Brow Artistry"];

interface Stage {
  page: Page;
  area: Locator;
  shown: () => Promise<string>;
}

/** The home page with a stopped clock, and the carousel under a heading. */
async function stage(open: (path: string, options: object) => Promise<Page>, name: string, options: object = {}): Promise<Stage> {
  const page = await open("/", { reducedMotion: "no-preference", prepare: (fresh: Page) => fresh.clock.install(), ...options });
  await page.clock.pauseAt(new Date(Date.now() + 3_600_000));
  const area = page.locator("[aria-roledescription=carousel]").filter({ has: page.getByRole("heading", { name }) }).last();
  const shown = async () => ((await area.locator("[aria-current=true]").getAttribute("aria-label")) ?? "").replace("Show ", "");
  return { page, area, shown };
}

async function first({ area, page, shown }: Stage, title: string): Promise<void> {
  await area.getByRole("button", { name: `Show ${title}` }).click();
  await expect.poll(shown).toBe(title);
  await leave(page);
}

/** Puts the pointer over the slides. Playwright's own `hover` scrolls the track when it has to try more than once. */
async function rest({ area, page }: Stage): Promise<void> {
  const track = area.locator(".track");
  await track.evaluate((element) => element.scrollIntoView({ block: "center", behavior: "instant" }));
  await expect.poll(async () => {
    const box = (await track.boundingBox())!;
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    return track.evaluate((element) => element.matches(":hover"));
  }).toBe(true);
  await settled(page);
  await arrived(track);
}

/** Waits until the shown slide has stopped moving, because a touch before that ends the scroll. */
async function arrived(track: Locator): Promise<void> {
  await expect.poll(() => track.evaluate((element) => {
    const padding = Number.parseFloat(getComputedStyle(element).scrollPaddingInlineStart) || 0;
    const shown = element.querySelector("[data-shown]")!;
    return Math.abs(shown.getBoundingClientRect().left - element.getBoundingClientRect().left - padding);
  })).toBeLessThan(2);
}

/** Moves pointer and focus away, and waits until the carousel has noticed. */
async function leave(page: Page): Promise<void> {
  await page.mouse.move(2, 2);
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await settled(page);
}

async function swipe(area: Locator, distance: number): Promise<void> {
  await area.evaluate((element, by) => {
    const target = element.querySelector(".track")!;
    const at = (clientX: number) => [new Touch({ identifier: 1, target, clientX, clientY: 10 })];
    target.dispatchEvent(new TouchEvent("touchstart", { bubbles: true, touches: at(200), changedTouches: at(200) }));
    target.dispatchEvent(new TouchEvent("touchend", { bubbles: true, changedTouches: at(200 + by) }));
  }, distance);
}

describe("the category carousel", () => {
  test("advances every 4 s, wraps around, pauses while hovered or focused, and stops on Pause", async ({ open }) => {
    const now = await stage(open, "Competition Categories");
    const { page, area, shown } = now;
    await first(now, "Lash Extensions");
    for (const next of [...categories.slice(1), "Lash Extensions"]) {
      await page.clock.runFor(3_990);
      expect(await shown()).not.toBe(next);
      await page.clock.runFor(10);
      await expect.poll(shown).toBe(next);
    }
    await rest(now);
    await page.clock.runFor(9_000);
    expect(await shown()).toBe("Lash Extensions");
    await page.mouse.move(2, 2);
    await area.getByRole("button", { name: "Previous" }).focus();
    await page.keyboard.press("Tab");
    await settled(page);
    await page.clock.runFor(9_000);
    expect(await shown()).toBe("Lash Extensions");
    await area.getByRole("button", { name: "Pause" }).click();
    await area.getByRole("button", { name: "Play" }).waitFor();
    await leave(page);
    await page.clock.runFor(9_000);
    expect(await shown()).toBe("Lash Extensions");
    // It plays again when asked to, although the focus is still on the button.
    await area.getByRole("button", { name: "Play" }).press("Enter");
    await area.getByRole("button", { name: "Pause" }).waitFor();
    await settled(page);
    await page.clock.runFor(4_100);
    await expect.poll(shown).toBe("Lash Lift");
  });

  test("continues after its own controls were clicked", async ({ open }) => {
    const { page, area, shown } = await stage(open, "Competition Categories");
    await area.getByRole("button", { name: "Show Lash Extensions" }).click();
    await area.getByRole("button", { name: "Next" }).click();
    await expect.poll(shown).toBe("Lash Lift");
    // The pointer leaves; the focus stays on the button that was pressed.
    await page.mouse.move(2, 2);
    await settled(page);
    await page.clock.runFor(4_000);
    await expect.poll(shown).toBe("Makeup Artistry");
  });

  test("follows its buttons and dots by keyboard, and wraps at both ends", async ({ open }) => {
    const { page, area, shown } = await stage(open, "Competition Categories");
    await area.getByRole("button", { name: "Show Lash Extensions" }).focus();
    await page.keyboard.press("Enter");
    await area.getByRole("button", { name: "Previous" }).focus();
    await page.keyboard.press("Enter");
    await expect.poll(shown).toBe("Brow Artistry");
    await area.getByRole("button", { name: "Next" }).focus();
    await page.keyboard.press("Enter");
    await expect.poll(shown).toBe("Lash Extensions");
    await page.getByRole("button", { name: "Show Makeup Artistry" }).focus();
    await page.keyboard.press("Space");
    await expect.poll(shown).toBe("Makeup Artistry");
    await page.clock.resume();
    await expectAccessible(page, "a carousel in use");
  });
});

describe("the showcase carousel", () => {
  test("advances every 3 s, pauses while hovered, and follows a swipe of more than 50 px", async ({ open }) => {
    const now = await stage(open, "Inside the Showcase");
    const { page, area, shown } = now;
    await first(now, "Breakfast with your peers");
    await page.clock.runFor(3_010);
    await expect.poll(shown).toBe("Lash work, up close");
    await rest(now);
    await page.clock.runFor(7_000);
    expect(await shown()).toBe("Lash work, up close");
    await swipe(area, -50);
    expect(await shown()).toBe("Lash work, up close");
    await swipe(area, -51);
    await expect.poll(shown).toBe("Twenty minutes each");
    await arrived(area.locator(".track"));
    await swipe(area, 120);
    await expect.poll(shown).toBe("Lash work, up close");
  });
});

test.for([desktop, phone])("nothing moves by itself for those who ask for none ($width px)", async (viewport, { open }) => {
  const { page, shown } = await stage(open, "Competition Categories", { reducedMotion: "reduce", viewport });
  const before = await shown();
  await page.clock.runFor(30_000);
  expect(await shown()).toBe(before);
  const running = () => page.evaluate(() => document.getAnimations().filter((animation) => animation.playState === "running").length);
  await expect.poll(running).toBe(0);
});
