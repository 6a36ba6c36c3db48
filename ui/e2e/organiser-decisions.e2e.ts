import type { Page } from "playwright-core";
import { describe } from "vitest";
import { expectAccessible } from "./support/axe";
import { desktop, phone, resize } from "./support/browser";
import { askAsOrganiser, fakeReply, forgetRefused, openAdmin, register, signInAgain, speaker, toast } from "./support/admin";
import { expectFocus, press } from "./support/keyboard";
import { type Showcase } from "./support/showcase";
import { stickingOut } from "./support/sticking-out";
import { expect, test } from "./support/test";

let filled: Promise<void> | undefined;

/** Stores two applications, and a submission that is held for review, once for this file. */
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
describe("a decision that is not saved yet", () => {
  test("outlives a look at the list and the end of the session", async ({ showcase, open, problems }) => {
    await fill(showcase);
    const page = await openAdmin(open, showcase, "/export-data/speaker-applications?id=1");
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
    await expectFocus(page.getByRole("heading", { level: 1, name: "Organiser’s pages" }));
    await signInAgain(page);
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
    const question = page.getByRole("dialog", { name: "Sign out without saving?" });
    await question.getByText("a decision or a note about a registration").waitFor();
    await press(page, question.getByRole("button", { name: "Stay signed in" }));
    expect(await note(page).inputValue()).toBe("Not for the next one.");
    await press(page, page.getByRole("button", { name: "Sign out" }));
    await press(page, question.getByRole("button", { name: "Sign out" }));
    await expectFocus(page.getByRole("heading", { level: 1, name: "Organiser’s pages" }));
    await signInAgain(page);
    await page.getByRole("heading", { level: 1, name: "Ada Sample" }).waitFor();
    expect(await note(page).inputValue()).toBe("");
    forgetRefused(problems, "401 (Unauthorized)");
  });
});

describe("a decision about a registration that somebody else has changed", () => {
  test("shows both before it is saved", async ({ showcase, open, problems }) => {
    await fill(showcase);
    await register(showcase, "speaker-applications", { ...speaker, name: "Fay Sample", email: "fay@example.com" });
    const page = await openAdmin(open, showcase, "/export-data/speaker-applications?id=3", { viewport: phone });
    await status(page).selectOption("Declined");
    await note(page).fill("Too late.");
    await askAsOrganiser(showcase, "PATCH", "/api/speaker-applications/3", { status: "waitlisted" });
    await askAsOrganiser(showcase, "PATCH", "/api/speaker-applications/3/fields", { values: { company: "Their Studio" }, reason: "By phone" });
    const saveAlone = decision(page).getByRole("button", { name: "Save without an email" });
    await press(page, saveAlone);
    const both = decision(page).getByRole("alert");
    await both.getByText("Now stored: Waitlisted").waitFor();
    await both.getByText("Yours: Declined").waitFor();
    await both.getByText("Now stored: Their Studio").waitFor();
    expect(await toast(page, "Error").count(), "a notification beside both versions").toBe(0);
    expect(await note(page).inputValue()).toBe("Too late.");
    await expectAccessible(page, "a decision that was overtaken");
    expect(await stickingOut(page)).toEqual([]);
    await press(page, saveAlone);
    await toast(page, "The status is now Declined.").waitFor();
    await both.waitFor({ state: "detached" });
    forgetRefused(problems, "/api/speaker-applications/3");
  });
});

describe("the mail of a decision", () => {
  test("is read before it is sent", async ({ showcase, open }) => {
    await fill(showcase);
    const page = await openAdmin(open, showcase, "/export-data/speaker-applications?id=2");
    const read = page.getByRole("button", { name: "Preview and send…" });
    await page.getByText("No decisions or notes yet.").waitFor();
    expect(await read.count()).toBe(0);
    await press(page, save(page));
    await toast(page, "Nothing to Save").waitFor();
    await status(page).selectOption("Accepted");
    await press(page, read);
    const dialog = page.getByRole("dialog", { name: "You are speaking at Lash & Brow Showcase" });
    const letter = dialog.frameLocator("iframe");
    await letter.getByText("Hello Bea Example,").waitFor();
    await dialog.getByText("To bea@example.com").waitFor();
    await dialog.getByLabel(/^Add a line to this email/).fill("You are on at 2 PM.");
    await letter.getByText("You are on at 2 PM.").waitFor();
    await press(page, dialog.getByRole("button", { name: "Phone" }));
    await expect.poll(() => dialog.locator("iframe").evaluate((frame) => frame.getBoundingClientRect().width)).toBeLessThanOrEqual(392);
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
    const refusal = page.getByRole("dialog", { name: "About your speaker application" });
    await refusal.frameLocator("iframe").getByText("With best wishes,").waitFor();
    await refusal.frameLocator("iframe").getByText("You are on at 2 PM.").waitFor();
    await refusal.getByLabel(/^Add a line to this email/).fill("");
    await page.keyboard.press("Escape");
    await page.locator("dialog").waitFor({ state: "detached" });

    await status(page).selectOption("Accepted");
    await note(page).fill("Strong topic. Ask for slides.");
    const send = dialog.getByRole("button", { name: "Save and send" });
    await fakeReply(page, "/api/speaker-applications/2", 409, { detail: "Somebody else has decided." }, 1);
    await press(page, read);
    await press(page, send);
    await toast(page, "Somebody else has decided.").waitFor();
    expect(await note(page).inputValue()).toBe("Strong topic. Ask for slides.");
    await press(page, read);
    await dialog.getByLabel(/^Add a line to this email/).fill("You are on at 2 PM.");
    await press(page, send);
    await toast(page, "The status is now Accepted. The email is on its way.").waitFor();
    await expectFocus(save(page));
    expect(await read.count(), "the decision was told").toBe(0);
    expect(showcase.mails().filter(({ to }) => to === "bea@example.com"), "the confirmation and the letter").toHaveLength(2);
    await page.locator(".record-summary").getByText("Accepted").waitFor();
    const [line = ""] = await page.getByRole("region", { name: "History" }).getByRole("listitem").allInnerTexts();
    expect(line).toMatch(/^\w+ \d+, \d+:\d\d [AP]M by organiser\s+New to Accepted\s+Strong topic\. Ask for slides\.$/);
    await expect.poll(() => note(page).inputValue()).toBe("");
    await expectAccessible(page, "a registration with a history");
    await page.getByRole("link", { name: "All speaker applications" }).click();
    await page.getByRole("row", { name: /Bea Example/ }).getByText("Accepted").waitFor();
  });

  test("is offered where there is one: an invitation, an answer, notes", async ({ showcase, open }) => {
    await fill(showcase);
    await register(showcase, "waitlist-signups", { name: "Dana Sample", email: "dana@example.com" });
    await register(showcase, "sponsor-inquiries", { company: "Sample Brand", email: "elle@example.com", interest: "booth" });
    const page = await openAdmin(open, showcase, "/export-data/waitlist-signups?id=2");
    const invitation = page.getByRole("form", { name: "Invitation to enter" });
    await press(page, invitation.getByRole("button", { name: "Invite to enter" }));
    await toast(page, "Dana Sample gets a personal link to the entry form.").waitFor();
    await page.getByText("Invitation: Invited, until").waitFor();
    await invitation.waitFor({ state: "detached" });
    expect(await page.getByRole("form", { name: "Status" }).getByLabel("Status").locator("option").allTextContents()).toEqual(["New", "Withdrawn"]);
    await page.goto(`${showcase.origin}/export-data/sponsor-inquiries?id=1`);
    const answer = page.getByRole("form", { name: "Answer" });
    await answer.getByLabel("Status").selectOption("Answered");
    expect(await answer.getByRole("button", { name: "Preview and send…" }).count()).toBe(0);
    await press(page, answer.getByRole("button", { name: "Save status" }));
    await toast(page, "The status is now Answered.").waitFor();
    await page.getByRole("region", { name: "History" }).getByText("New to Answered").waitFor();
  });

  test("of what was set aside is its confirmation, which goes by itself", async ({ showcase, open }) => {
    await fill(showcase);
    const page = await openAdmin(open, showcase, "/export-data/waitlist-signups?id=1");
    await page.getByText("a field was filled in that people cannot see").waitFor();
    const invitation = page.getByRole("form", { name: "Status" });
    await invitation.getByLabel("Status").selectOption("New");
    await invitation.getByText("This sends the confirmation.").waitFor();
    await press(page, invitation.getByRole("button", { name: "Save status" }));
    await toast(page, "The status is now New.").waitFor();
    expect(showcase.mails().filter(({ to }) => to === "cleo@example.com")).toHaveLength(1);
  });
});

describe("on a phone", () => {
  test("the decision is on the first screen, before the answers", async ({ showcase, open }) => {
    await fill(showcase);
    const page = await openAdmin(open, showcase, "/export-data/speaker-applications?id=2", { viewport: phone });
    await save(page).waitFor();
    const { y = 0, height = 0 } = (await save(page).boundingBox()) ?? {};
    expect(y + height).toBeLessThanOrEqual(phone.height);
    await status(page).focus();
    await page.keyboard.press("Tab");
    await expectFocus(note(page));
    await page.keyboard.press("Tab");
    await expectFocus(save(page));
    await page.keyboard.press("Tab");
    await expectFocus(page.getByRole("link", { name: "bea@example.com" }));
  });

  test("a long word in a note stays within the page", async ({ showcase, open }) => {
    await fill(showcase);
    const page = await openAdmin(open, showcase, "/export-data/speaker-applications?id=2", { viewport: phone });
    await note(page).fill("x".repeat(300));
    await press(page, save(page));
    await page.getByRole("region", { name: "History" }).getByText("xxxxxxxx").waitFor();
    expect(await stickingOut(page)).toEqual([]);
  });

  test("the days of the table stay on a line, and no payments have no scale", async ({ showcase, open }) => {
    await fill(showcase);
    const page = await openAdmin(open, showcase, "/export-data", { viewport: phone });
    await page.getByRole("heading", { name: "By day" }).click();
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
