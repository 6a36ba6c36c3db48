import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";

export function hasFocus(locator: Locator): Promise<boolean> {
  return locator.evaluate((element) => element === document.activeElement);
}

export async function expectFocus(locator: Locator): Promise<void> {
  await expect.poll(() => hasFocus(locator), { message: `focus on ${locator}` }).toBe(true);
}

/** Walks forward with the Tab key until the control has the focus; fails when it cannot be reached. */
export async function tabTo(page: Page, locator: Locator, most = 100): Promise<void> {
  // The key passes over what is not ready yet, and does not come back to it.
  await expect.poll(() => locator.isEnabled(), { message: `${locator} is enabled` }).toBe(true);
  for (let presses = 0; presses < most; presses += 1) {
    if (await hasFocus(locator)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`the keyboard does not reach ${locator} within ${most} presses of Tab`);
}

/** Reaches a link or button by keyboard and presses it. */
export async function press(page: Page, locator: Locator): Promise<void> {
  await tabTo(page, locator);
  await page.keyboard.press("Enter");
}
