import type { Locator, Page } from "playwright-core";
import { fakeReply } from "./support/admin";
import { settled } from "./support/browser";
import { expectFocus } from "./support/keyboard";
import { expect, test, type Open } from "./support/test";

/** Makes the waitlist form fail, and then stops the page's clock. */
async function openWithToast(open: Open): Promise<{ page: Page; toast: Locator }> {
  const page = await open("/#waitlist", { prepare: async (fresh) => {
    await fresh.clock.install();
    await fakeReply(fresh, "/api/waitlist-signups", 500);
  } });
  const form = page.getByRole("form", { name: "Waitlist signup" });
  const button = form.getByRole("button", { name: "Join the waitlist" });
  await expect.poll(() => button.isEnabled()).toBe(true);
  await form.getByRole("textbox", { name: "Full name" }).fill("Ana");
  await form.getByRole("textbox", { name: "Email" }).fill("ana@example.com");
  await page.clock.pauseAt(new Date(Date.now() + 3_600_000));
  await button.click();
  const toast = page.getByRole("alert").getByText("You are not on the waitlist yet. Please try again.");
  await toast.waitFor();
  return { page, toast };
}

test("a notification leaves after 5 s, but not while it is looked at", async ({ open }) => {
  const { page, toast } = await openWithToast(open);
  await toast.hover();
  await settled(page);
  await page.clock.runFor(20_000);
  expect(await toast.isVisible()).toBe(true);
  await page.mouse.move(2, 2);
  await settled(page);
  await page.clock.runFor(4_900);
  expect(await toast.isVisible()).toBe(true);
  await page.clock.runFor(200);
  await toast.waitFor({ state: "detached" });
});

test("F8 leads to it, Escape dismisses it and gives the focus back", async ({ open }) => {
  const { page, toast } = await openWithToast(open);
  const button = page.getByRole("form", { name: "Waitlist signup" }).getByRole("button", { name: "Join the waitlist" });
  await expectFocus(button);
  await page.keyboard.press("F8");
  await expectFocus(page.getByRole("region", { name: /Notifications/ }));
  await page.clock.runFor(20_000);
  expect(await toast.isVisible(), "it stays while the focus is on it").toBe(true);
  await page.keyboard.press("Tab");
  await expectFocus(page.getByRole("button", { name: "Close notification" }));
  await page.keyboard.press("Escape");
  await toast.waitFor({ state: "detached" });
  await expectFocus(button);
});

test("a swipe to the right of more than 50 px dismisses it, a shorter one does not", async ({ open }) => {
  const { page, toast } = await openWithToast(open);
  const box = await toast.boundingBox();
  const at = { x: (box?.x ?? 0) + 10, y: (box?.y ?? 0) + 5 };
  const swipe = async (distance: number) => {
    await page.mouse.move(at.x, at.y);
    await page.mouse.down();
    await page.mouse.move(at.x + distance, at.y, { steps: 4 });
    await page.mouse.up();
  };
  await swipe(50);
  await swipe(-90);
  await settled(page);
  expect(await toast.isVisible()).toBe(true);
  await swipe(51);
  await toast.waitFor({ state: "detached" });
});
