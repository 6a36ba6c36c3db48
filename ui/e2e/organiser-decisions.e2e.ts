import type { Page } from "playwright-core";
import { describe } from "vitest";
import { expectAccessible } from "./support/axe";
import { desktop, phone, resize } from "./support/browser";
import { forgetRefused, openDesk, register, speaker } from "./support/desk";
import { expectFocus, press } from "./support/keyboard";
import { adminPassword, type Showcase } from "./support/showcase";
import { stickingOut } from "./support/sticking-out";
import { expect, test } from "./support/test";

let filled: Promise<void> | undefined;

/** Two applications, and a submission that was set aside, once a file. */
async function fill(showcase: Showcase): Promise<void> {
  filled ??= (async () => {
    await register(showcase, "speaker-applications", speaker);
    await register(showcase, "speaker-applications", { ...speaker, name: "Bea Example", email: "bea@example.com" });
    await register(showcase, "waitlist-signups", { name: "Cleo Sample", email: "cleo@example.com", referralNote: "x" });
  })();
  await filled;
}

const decision = (page: Page) => page.getByRole("form", { name: "Decision" });
const note = (page: Page) => decision(page).getByLabel(/^Note/);
const status = (page: Page) => decision(page).getByLabel("Status");
const save = (page: Page) => decision(page).getByRole("button", { name: "Save decision" });
const toast = (page: Page, words: string) => page.getByRole("region", { name: /Notifications/ }).getByText(words);

describe("a decision that is not saved yet", () => {
  test("outlives a look at the list and the end of the session", async ({ showcase, open, problems }) => {
    await fill(showcase);
    const page = await openDesk(open, showcase, "/export-data/speaker-applications?id=1");
    await status(page).selectOption("In review");
    await note(page).fill("Ask for slides.");
    await page.getByRole("link", { name: "All speaker applications" }).click();
    await page.getByRole("link", { name: "Bea Example" }).click();
    await page.getByRole("heading", { level: 1, name: "Bea Example" }).waitFor();
    expect([await status(page).inputValue(), await note(page).inputValue()], "another's is its own").toEqual(["new", ""]);
    await page.getByRole("link", { name: "All speaker applications" }).click();
    await page.getByRole("link", { name: "Ada Sample" }).click();
    await page.getByRole("heading", { level: 1, name: "Ada Sample" }).waitFor();
    expect([await status(page).inputValue(), await note(page).inputValue()]).toEqual(["in_review", "Ask for slides."]);

    await page.context().clearCookies();
    await press(page, save(page));
    await page.getByText("Your session has ended.").waitFor();
    await expectFocus(page.getByRole("heading", { level: 1, name: "Organiser’s desk" }));
    await page.getByLabel("Admin password").fill(adminPassword);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Ada Sample" }).waitFor();
    expect([await status(page).inputValue(), await note(page).inputValue()]).toEqual(["in_review", "Ask for slides."]);
    await press(page, save(page));
    await toast(page, "The status is now In review.").waitFor();
    await expect.poll(() => note(page).inputValue()).toBe("");
    await page.getByRole("link", { name: "All speaker applications" }).click();
    await page.getByRole("link", { name: "Ada Sample" }).click();
    await page.getByRole("heading", { level: 1, name: "Ada Sample" }).waitFor();
    expect(await note(page).inputValue(), "what is saved is no draft").toBe("");

    await note(page).fill("Not for the next one.");
    await press(page, page.getByRole("button", { name: "Sign out" }));
    await expectFocus(page.getByRole("heading", { level: 1, name: "Organiser’s desk" }));
    await page.getByLabel("Admin password").fill(adminPassword);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Ada Sample" }).waitFor();
    expect(await note(page).inputValue()).toBe("");
    forgetRefused(problems, "/api/");
  });
});

describe("the mail of a decision", () => {
  test("is read before it is sent", async ({ showcase, open }) => {
    await fill(showcase);
    const page = await openDesk(open, showcase, "/export-data/speaker-applications?id=2");
    const read = page.getByRole("button", { name: "Preview the email" });
    await status(page).waitFor();
    expect(await read.count()).toBe(0);
    await status(page).selectOption("Accepted");
    await press(page, read);
    const dialog = page.getByRole("dialog", { name: "You are speaking at Lash & Brow Showcase" });
    await dialog.getByText("Hello Bea Example,").waitFor();
    await dialog.getByText("To bea@example.com").waitFor();
    for (const viewport of [desktop, phone]) {
      await resize(page, viewport);
      await expectAccessible(page, `a decision's mail at ${viewport.width} px`);
      expect(await stickingOut(page)).toEqual([]);
    }
    await page.keyboard.press("Escape");
    await expectFocus(read);
    expect(showcase.mails().filter(({ to }) => to === "bea@example.com"), "the confirmation alone").toHaveLength(1);
    await status(page).selectOption("Declined");
    await press(page, read);
    await page.getByRole("dialog").getByText("Hello Bea Example,").waitFor();
    expect(await page.getByRole("dialog", { name: "You are speaking" }).count()).toBe(0);
  });

  test("of what was set aside is its confirmation, which goes by itself", async ({ showcase, open }) => {
    await fill(showcase);
    const page = await openDesk(open, showcase, "/export-data/waitlist-signups?id=1");
    await page.getByText("a field was filled in that no person sees").waitFor();
    await status(page).selectOption("New");
    await decision(page).getByText("The confirmation goes out with this.").waitFor();
    await press(page, save(page));
    await toast(page, "The status is now New.").waitFor();
    expect(showcase.mails().filter(({ to }) => to === "cleo@example.com")).toHaveLength(1);
  });
});

describe("on a phone", () => {
  test("a long word in a note stays within the page", async ({ showcase, open }) => {
    await fill(showcase);
    const page = await openDesk(open, showcase, "/export-data/speaker-applications?id=2", { viewport: phone });
    await note(page).fill("x".repeat(300));
    await press(page, save(page));
    await page.getByRole("region", { name: "History" }).getByText("xxxxxxxx").waitFor();
    expect(await stickingOut(page)).toEqual([]);
  });

  test("the days of the table stay on a line, and no payments have no scale", async ({ showcase, open }) => {
    await fill(showcase);
    const page = await openDesk(open, showcase, "/export-data", { viewport: phone });
    await page.getByText("Read as a table").click();
    const day = page.getByRole("region", { name: "Registrations by day, as a table" }).getByRole("rowheader").first();
    const lines = await day.evaluate((cell) => {
      const range = document.createRange();
      range.selectNodeContents(cell);
      return range.getClientRects().length;
    });
    expect(lines).toBe(1);
    await expect.poll(() => page.locator(".plot:not(.plot-low) .plot-mark").count()).toBe(2);
    expect(await page.locator(".plot-low .plot-mark").count()).toBe(0);
  });
});
