import { describe } from "vitest";
import { askAsOrganiser, expectFine, expectToast, forgetRefused, openAdmin, register, signInAgain, toast } from "./support/admin";
import { stickingOut } from "./support/sticking-out";
import { expect, testWith } from "./support/test";

/** A mail server is set up, but refuses connections. The second email of a group would enter the outbox after a minute. */
const test = testWith({ environment: { SHOWCASE_SMTP_HOST: "127.0.0.1", SHOWCASE_SMTP_PORT: "9", SHOWCASE_SMTP_SECURITY: "none", SHOWCASE_SMTP_FROM: "hello@example.com", SHOWCASE_LIMITS_GROUP_MAILS_PER_MINUTE: "1" } });

const bea = { name: "Bea Example", email: "bea@example.com", wantToCompete: true };

describe("emails to groups", () => {
  test("are composed, previewed, tested, sent, paused and stopped", async ({ showcase, open, problems }) => {
    await register(showcase, "waitlist-signups", bea);
    await register(showcase, "waitlist-signups", { ...bea, name: "Cleo Example", email: "cleo@example.com" });
    const page = await openAdmin(open, showcase, "/export-data/mailings");
    await page.getByText("No email to a group has been written yet.").waitFor();
    await expectFine(page, "the list of emails");
    await page.getByRole("link", { name: "Write an email" }).click();
    await page.getByRole("heading", { level: 1, name: "New email to a group" }).waitFor();
    await page.getByText("0 people will get it.").waitFor();
    await page.getByLabel("Kind").selectOption("waitlist-signups");
    await page.getByText("2 people will get it.").waitFor();
    await page.getByLabel("Subject").fill("News for {name}");
    await page.getByRole("textbox", { name: "Text" }).fill("One.\n\nTwo {nmae}.");
    await page.getByRole("button", { name: "Save draft" }).click();
    await page.getByText("Line 3: there is no placeholder 'nmae'.").first().waitFor();
    await expectFine(page, "a refused draft");
    await page.getByRole("textbox", { name: "Text" }).fill(`The hall has changed, {name}.\n\nhttps://example.com/${"directions".repeat(20)}`);
    await page.context().clearCookies();
    await page.getByRole("button", { name: "Save draft" }).click();
    await page.getByText("Your session has ended.").waitFor();
    await signInAgain(page);
    await expect.poll(() => page.getByLabel("Subject").inputValue(), { message: "what was typed outlives the session" }).toBe("News for {name}");
    await page.getByRole("button", { name: "Save draft" }).click();
    await page.getByRole("heading", { level: 1, name: "News for {name}" }).waitFor();
    const frame = page.frameLocator("iframe");
    await frame.locator("p", { hasText: "The hall has changed, Bea Example." }).waitFor();
    await page.getByRole("button", { name: "cleo@example.com" }).click();
    await frame.locator("p", { hasText: "The hall has changed, Cleo Example." }).waitFor();
    await expectFine(page, "a draft");
    const shown = new URL((await page.locator("iframe").getAttribute("src"))!, showcase.origin);
    const email = await openAdmin(open, showcase, shown.pathname + shown.search, { viewport: { width: 320, height: 640 } });
    expect(await stickingOut(email), "the email on a small phone").toEqual([]);
    await page.getByLabel("Your email address").fill("ines@example.com");
    await page.getByRole("button", { name: "Send test" }).click();
    await expectToast(page, "Sending", "The test is on its way to ines@example.com.");
    await page.getByRole("button", { name: "Send…", exact: true }).click();
    await page.getByRole("button", { name: "Send to 2 people" }).click();
    await expectToast(page, "Sending", "The email is on its way to 2 people.");
    await page.getByText("Sending: 0 of 2").waitFor();
    await expectFine(page, "an email that is being sent");
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByText("Paused: 0 of 2").waitFor();
    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByText("Sending: 0 of 2").waitFor();
    await page.getByRole("button", { name: "Stop for good" }).click();
    await page.getByText("Stopped: 0 of 0").waitFor();
    await page.getByRole("link", { name: "All emails to groups" }).click();
    await page.getByRole("link", { name: "News for {name}" }).waitFor();
    forgetRefused(problems, "/api/mailings");
  });

  test("show both versions when two organisers save the same draft", async ({ showcase, open, problems }) => {
    await askAsOrganiser(showcase, "POST", "/api/mailings", { group: { kind: "all" }, subject: "First", text: "One." });
    const page = await openAdmin(open, showcase, "/export-data/mailings");
    await page.getByRole("link", { name: "First" }).click();
    await page.getByRole("heading", { level: 1, name: "First" }).waitFor();
    const id = new URL(page.url()).searchParams.get("id");
    await page.getByLabel("Subject").fill("Mine");
    await askAsOrganiser(showcase, "PATCH", `/api/mailings/${id}`, { subject: "Theirs", text: "Two." });
    await page.getByRole("button", { name: "Save draft" }).click();
    const both = page.getByRole("form", { name: "Email" }).getByRole("alert");
    await both.getByText("Now stored: Theirs").waitFor();
    await both.getByText("Yours: Mine").waitFor();
    await both.getByText("Now stored: Two.").waitFor();
    expect(await toast(page, "Error").count(), "a notification beside both versions").toBe(0);
    await expectFine(page, "two versions of a draft");
    await page.getByRole("button", { name: "Save mine" }).click();
    await page.getByRole("heading", { level: 1, name: "Mine" }).waitFor();
    await both.waitFor({ state: "detached" });

    await page.getByLabel("Subject").fill("Mine again");
    await askAsOrganiser(showcase, "PATCH", `/api/mailings/${id}`, { subject: "Theirs again" });
    await page.getByRole("button", { name: "Save draft" }).click();
    await both.getByText("Now stored: Theirs again").waitFor();
    await page.getByRole("button", { name: "Use what is stored" }).click();
    await expect.poll(() => page.getByLabel("Subject").inputValue()).toBe("Theirs again");
    // The page sends only the version that it shows.
    await page.getByRole("button", { name: "Send…", exact: true }).waitFor();
    await askAsOrganiser(showcase, "PATCH", `/api/mailings/${id}`, { subject: "Theirs at last" });
    await page.getByRole("button", { name: "Send…", exact: true }).click();
    await page.getByRole("button", { name: /^Send to / }).click();
    await expect.poll(() => page.getByLabel("Subject").inputValue()).toBe("Theirs at last");
    await page.getByRole("button", { name: "Send…", exact: true }).waitFor();
    forgetRefused(problems, `/api/mailings/${id}`);
  });

  test("say which names no greeting uses", async ({ showcase, open }) => {
    const group = { kind: "competition-entries" };
    const { id } = await askAsOrganiser<{ id: number }>(showcase, "POST", "/api/mailings", { group, subject: "News", text: "One." });
    const items = [{ recipient: "visit@example.com", subject: "News" }];
    for (const [unnamed, sentence] of [
      [["Lash 24"], "No greeting uses this name, with digits or an address in it: Lash 24. This person is greeted as \u201cthere\u201d."],
      [[..."abcdefghijkl"], "No greeting uses these names, with digits or an address in them: a, b, c, d, e, f, g, h, i, j and 2 more. These people are greeted as \u201cthere\u201d."],
    ] as const) {
      const page = await openAdmin(open, showcase, `/export-data/mailings?id=${id}`, { replies: { [`/api/mailings/${id}/preview`]: { items, unnamed }, [`/api/mailings/${id}/preview/html`]: {} } });
      await page.getByText(sentence, { exact: true }).waitFor();
    }
  });
});

describe("the texts of standard emails", () => {
  test("are edited, previewed and reset", async ({ showcase, open, problems }) => {
    await register(showcase, "waitlist-signups", bea);
    const page = await openAdmin(open, showcase, "/export-data/mail-texts");
    await page.getByRole("link", { name: "Waitlist signup: confirmation" }).waitFor();
    await expectFine(page, "the list of texts");
    await page.getByRole("link", { name: "Waitlist signup: confirmation" }).click();
    await page.getByText("This is the default text.").waitFor();
    await page.getByRole("textbox", { name: "Text" }).fill("You are on the list, {nmae}.");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Line 1: there is no placeholder 'nmae'.").first().waitFor();
    await page.getByRole("textbox", { name: "Text" }).fill("You are on the list, {name}.");
    await page.getByRole("button", { name: "Preview" }).click();
    await page.getByText("You are on the list, Bea Example.").waitFor();
    await expectFine(page, "a text");
    await page.getByRole("button", { name: "Save" }).click();
    await toast(page, "Text Saved").waitFor();
    await page.getByText(/^Edited by /).waitFor();
    await page.getByLabel("Subject").fill("Mine");
    await askAsOrganiser(showcase, "PATCH", "/api/mail-texts/confirmation.waitlist-signups", { subject: "Theirs" });
    await page.getByRole("button", { name: "Save" }).click();
    const both = page.getByRole("form", { name: "Text" }).getByRole("alert");
    await both.getByText("Now stored: Theirs").waitFor();
    await both.getByText("Yours: Mine").waitFor();
    expect(await toast(page, "Error").count(), "a notification beside both versions").toBe(0);
    await expectFine(page, "two versions of a text");
    await page.getByRole("button", { name: "Save mine" }).click();
    await both.waitFor({ state: "detached" });
    expect(await page.getByLabel("Subject").inputValue()).toBe("Mine");
    await page.getByRole("button", { name: "Back to the default" }).click();
    await page.getByText("This is the default text.").waitFor();
    forgetRefused(problems, "/api/mail-texts");
  });
});
