import { describe } from "vitest";
import { expectAccessible } from "./support/axe";
import { goTo, reload } from "./support/browser";
import { expectFine, fakeReply, forgetRefused, openAdmin, register, speaker, toast } from "./support/admin";
import { expectFocus, press } from "./support/keyboard";
import { adminPassword } from "./support/showcase";
import { expect, test } from "./support/test";

describe("the outbox", () => {
  test("lists emails, shows one as it is sent, resends it and discards it", async ({ showcase, open }) => {
    await register(showcase, "speaker-applications", speaker);
    const page = await openAdmin(open, showcase, "/export-data/outbox");
    await page.getByRole("status").getByText("1 waiting").waitFor();
    await expectFine(page, "the outbox");
    await press(page, page.getByRole("link", { name: /We have your/ }));
    await expectFocus(page.getByRole("heading", { level: 1, name: /We have your/ }));
    const frame = page.frameLocator("iframe");
    await frame.getByText("Ada Sample").first().waitFor();
    expect(await page.locator("iframe").getAttribute("sandbox")).toBe("");
    expect(await frame.locator("h1").first().evaluate((title) => getComputedStyle(title).fontFamily)).toContain("Georgia");
    await expectFine(page, "a mail");
    await page.getByRole("button", { name: "Show as text" }).click();
    await page.locator("pre", { hasText: "Ada Sample" }).waitFor();
    await page.getByRole("link", { name: "Speaker application 1" }).waitFor();
    await page.getByRole("button", { name: "Send now" }).click();
    await toast(page, "Sending").waitFor();
    await page.getByRole("button", { name: "Discard…" }).click();
    await expectFine(page, "the question before an email is discarded");
    await page.getByRole("dialog").getByRole("button", { name: "Discard" }).click();
    await toast(page, "Email Discarded").waitFor();
    await page.getByText("Discarded", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Send now" }).waitFor({ state: "detached" });
    await expectFocus(page.getByRole("heading", { level: 1, name: /We have your/ }));
    await page.getByRole("link", { name: "All emails" }).click();
    await page.getByLabel("State").selectOption("waiting");
    await page.getByText("No emails in this state").waitFor();
    await page.getByRole("link", { name: "Show all emails" }).click();
    await page.getByRole("link", { name: /We have your/ }).waitFor();
  });

  test("is on the page of a registration, and says when it cannot be read or changed", async ({ showcase, open, problems }) => {
    await register(showcase, "waitlist-signups", { name: "Bea Example", email: "bea@example.com", wantToCompete: true });
    const page = await openAdmin(open, showcase, "/export-data/waitlist-signups?id=1");
    const mails = page.getByRole("region", { name: "Emails" });
    await mails.getByText("bea@example.com", { exact: false }).waitFor();
    await mails.getByRole("link").click();
    const send = page.getByRole("button", { name: "Send now" });
    await send.waitFor();
    await fakeReply(page, `/api/outbox/${new URL(page.url()).searchParams.get("id")}/retry`, 409, { detail: "The mail is sent already." });
    await send.click();
    await page.getByText("The mail is sent already.").waitFor();
    await goTo(page, "/export-data/outbox?id=999");
    await page.getByText("There is no email with the number 999.").waitFor();
    await fakeReply(page, "/api/outbox", 503, { detail: "The database is busy." });
    await goTo(page, "/export-data/outbox");
    await page.getByText("The outbox could not be loaded. The database is busy.").waitFor();
    forgetRefused(problems, "/api/outbox/999");
  });

  test("is sent again to a corrected address, from the email and from the registration", async ({ showcase, open, problems }) => {
    await register(showcase, "waitlist-signups", { name: "Dana Sample", email: "dana@gmial.com", wantToCompete: true });
    const page = await openAdmin(open, showcase, "/export-data/outbox");
    await page.getByRole("row", { name: /dana@gmial\.com/ }).getByRole("link").first().click();
    await page.getByRole("button", { name: "Correct the address and send again…" }).click();
    const form = page.getByRole("form", { name: "Correct the address" });
    await expectFine(page, "a correction");
    await form.getByRole("button", { name: "Correct and send again" }).click();
    await form.getByText("This is already the address").waitFor();
    await form.getByLabel("Correct email address").fill("dana@gmail.com");
    await form.getByRole("button", { name: "Correct and send again" }).click();
    await toast(page, "Address Corrected").waitFor();
    await page.locator(".mail-facts").getByText("dana@gmail.com").waitFor();
    await page.getByRole("link", { name: /^Waitlist signup \d/ }).click();
    await page.getByRole("region", { name: "History" }).getByText("corrected from dana@gmial.com to dana@gmail.com").waitFor();
    const correct = page.getByRole("button", { name: "Correct the address and send again…" });
    await press(page, correct);
    await expectFocus(form.getByLabel("Correct email address"));
    await press(page, form.getByRole("button", { name: "Cancel" }));
    await expectFocus(page.getByRole("region", { name: "Emails" }).getByRole("heading"));
    await press(page, correct);
    await form.getByLabel("Correct email address").fill("dana@example.com");
    await form.getByRole("button", { name: "Correct and send again" }).click();
    await page.getByRole("region", { name: "Emails" }).getByText("dana@example.com").waitFor();
    expect(showcase.mails().filter(({ to }) => to.startsWith("dana"))).toHaveLength(3);
    forgetRefused(problems, "/api/outbox");
  });

  test("sends all waiting emails at once", async ({ showcase, open }) => {
    for (const name of ["cleo", "eva"]) await register(showcase, "waitlist-signups", { name: "Cleo Sample", email: `${name}@example.com`, wantToCompete: true });
    const page = await openAdmin(open, showcase, "/export-data/outbox");
    await page.getByRole("button", { name: /Send all/ }).click();
    await toast(page, "Sending").waitFor();
    await page.getByText(/^Sending all \d+ emails now\.$/).waitFor();
  });
});

describe("payments", () => {
  const finding = { id: 7, foundAt: "2026-03-01T15:00:00.000Z", stripePaymentIntentId: "pi_7", problem: "wrong_amount", entryId: 3, amount: 44900, currency: "usd", settledAt: null, settledBy: null, note: null };

  test("that need attention are resolved with a note, and an empty list says so", async ({ showcase, open }) => {
    const page = await openAdmin(open, showcase, "/export-data/payments");
    await page.getByText("No unmatched payments.").waitFor();
    await expectFine(page, "no payments");
    await fakeReply(page, "/api/payment-findings", 200, { items: [finding] });
    await page.getByRole("button", { name: "Refresh" }).click();
    await page.getByRole("heading", { name: "The amount paid is not the price of the entry" }).waitFor();
    await page.getByText("$449.00").waitFor();
    await page.getByText("An entry counts as paid only when its whole price is paid").waitFor();
    await expectFine(page, "a payment");
    await fakeReply(page, "/api/payment-findings/7/settle", 503, { detail: "The database is busy." });
    await page.getByLabel("What was done").fill("Given back at Stripe");
    await page.getByRole("button", { name: "Mark as resolved" }).click();
    await page.getByText("The database is busy.").waitFor();
    const settled = await fakeReply(page, "/api/payment-findings/7/settle", 200, { ...finding, settledAt: finding.foundAt });
    await fakeReply(page, "/api/payment-findings", 200, { items: [] });
    await page.getByRole("button", { name: "Mark as resolved" }).click();
    await toast(page, "Resolved").waitFor();
    expect(settled.asked).toEqual([JSON.stringify({ note: "Given back at Stripe" })]);
    await page.getByText("No unmatched payments.").waitFor();
    await expectFocus(page.getByRole("heading", { level: 1, name: "Payments" }));
  });

  test("are refunded from the entry's page, after a confirmation and with an idempotency key", async ({ showcase, open }) => {
    const entry = { id: 3, createdAt: "2026-03-01T15:00:00.000Z", status: "new", name: "Cleo Sample", email: "cleo@example.com", paymentAmount: 48492, refundedAmount: 0, paymentStatus: "paid", oneCategoryCents: 10692, nominations: [{ id: 4, code: "LE-204", label: "Lash Extensions - Volume", state: "open" }, { id: 5, code: "BR-317", label: "Brows - Lamination", state: "open" }], history: [], mails: [] };
    const page = await openAdmin(open, showcase, "/export-data/competition-entries?id=3", { replies: { "/api/competition-entries/3": entry } });
    const amount = page.getByLabel("Amount in dollars");
    await page.getByRole("button", { name: "Refund…" }).click();
    await page.getByText("Please choose what is refunded.").waitFor();
    await page.getByText("Please say why").waitFor();
    await page.getByLabel("Another amount").check();
    await amount.fill("500");
    await page.getByRole("button", { name: "Refund…" }).click();
    await page.getByText("Please enter an amount up to $484.92.").waitFor();
    await page.getByLabel("Everything, $484.92").check();
    await amount.waitFor({ state: "detached" });
    await page.getByLabel("Brows - Lamination (BR-317), $106.92 with tax").check();
    await page.getByLabel(/^Reason/).fill("Cannot travel");
    expect(await page.getByLabel("Send Cleo Sample an email about it").isChecked()).toBe(true);
    await expectFine(page, "a refund to fill in");
    await page.getByRole("button", { name: "Refund…" }).click();
    await page.getByText("Give $106.92 back to Cleo Sample? Brows - Lamination is withdrawn with it").waitFor();
    const heading = page.getByRole("heading", { name: "Refund", exact: true });
    await expectFocus(heading);
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Refund…" }).waitFor();
    await expectFocus(heading);
    await page.getByRole("button", { name: "Refund…" }).click();
    await page.getByText("The money reaches the card in 5 to 10 days.").waitFor();
    await fakeReply(page, "/api/competition-entries/3/refund-mail/html", 200, {});
    await page.getByRole("button", { name: "Preview the email" }).click();
    expect(await page.getByRole("dialog").locator("iframe").getAttribute("src")).toBe("/api/competition-entries/3/refund-mail/html?amountCents=10692&category=BR-317");
    await page.keyboard.press("Escape");
    await expectFine(page, "a refund");
    // After a refusal the next attempt has a new idempotency key, because the old one would be refused again.
    const refused = await fakeReply(page, "/api/competition-entries/3/refund", 409, { detail: "The balance is too small." });
    await page.getByRole("button", { name: "Refund $106.92" }).click();
    await page.getByText("The balance is too small.").waitFor();
    expect(await page.getByLabel(/^Brows - Lamination/).isChecked(), "what was chosen is kept").toBe(true);
    await page.getByRole("button", { name: "Refund…" }).click();
    // A request without an answer may still have been executed, so the page does not say that nothing was refunded.
    const unanswered = await fakeReply(page, "/api/competition-entries/3/refund", 502, { detail: "Stripe did not answer." });
    await page.getByRole("button", { name: "Refund $106.92" }).click();
    await page.getByText("Stripe did not answer.").waitFor();
    await page.getByText("the refund may have been made").waitFor();
    await page.getByRole("button", { name: "Cancel" }).waitFor({ state: "detached" });
    await expectFine(page, "a refund without an answer");
    const refund = await fakeReply(page, "/api/competition-entries/3/refund", 200, { id: 3, refundedAmount: 10692, paymentStatus: "partially_refunded" });
    await fakeReply(page, "/api/competition-entries/3", 200, { ...entry, refundedAmount: 48492, paymentStatus: "refunded" });
    await page.getByRole("button", { name: "Refund $106.92" }).click();
    await toast(page, "On Its Way").waitFor();
    await page.getByText("The whole payment of $484.92 has been refunded.").waitFor();
    await expectFocus(heading);
    expect(refund.asked).toEqual([JSON.stringify({ amountCents: 10692, reason: "Cannot travel", notify: true, category: "BR-317" })]);
    expect(refused.asked).toEqual(refund.asked);
    expect(refund.keys).toEqual([expect.stringMatching(/^\w{32}$/)]);
    expect(refund.keys).toEqual(unanswered.keys);
    expect(refund.keys).not.toEqual(refused.keys);
  });
});

describe("who has access", () => {
  test("accounts are added, given another password and removed; sessions are ended", async ({ showcase, open, problems }) => {
    const page = await openAdmin(open, showcase, "/export-data/access");
    await page.getByText("There are no accounts yet").waitFor();
    await page.getByLabel("Name", { exact: true }).fill("ines");
    await page.getByLabel("Password", { exact: true }).fill("short");
    await page.getByRole("button", { name: "Save account" }).click();
    await page.getByText("Please choose a password of at least 10 characters.").first().waitFor();
    await page.getByLabel("Password", { exact: true }).fill("long enough for ines");
    await page.getByRole("button", { name: "Save account" }).click();
    await toast(page, "Account Added").waitFor();
    await expectFine(page, "who has access");

    const other = await open("/export-data", { userAgent: "Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0" });
    await other.getByRole("button", { name: "Sign in with my own account" }).click();
    const name = other.getByLabel("Name", { exact: true });
    await name.fill("nobody");
    await other.getByLabel("Password", { exact: true }).fill("long enough for ines");
    await other.keyboard.press("Enter");
    await toast(other, "Access Denied").waitFor();
    await expectAccessible(other, "the gate with a name");
    await name.fill("Ines");
    await name.press("Enter");
    await other.getByText("Signed in as ines").waitFor();

    await reload(page);
    await page.getByRole("rowheader", { name: "ines Firefox on Windows" }).waitFor();
    // The list must show the account before its password is changed below.
    await page.getByRole("button", { name: "Remove ines" }).waitFor();
    await page.getByRole("button", { name: "Sign out ines" }).click();
    await toast(page, "Session Ended").waitFor();
    await other.getByRole("button", { name: "Refresh" }).click();
    await other.getByText("Your session has ended.").waitFor();

    await page.getByLabel("Name", { exact: true }).fill("INES");
    await page.getByLabel("Password", { exact: true }).fill("another long one");
    await page.getByRole("button", { name: "Save account" }).click();
    await toast(page, "Password Changed").waitFor();
    await page.getByRole("button", { name: "Remove ines" }).click();
    await expectFocus(page.getByRole("button", { name: "Really remove ines" }));
    await page.keyboard.press("Enter");
    await toast(page, "Account Removed").waitFor();
    await page.getByText("There are no accounts yet").waitFor();
    await expectFocus(page.getByRole("heading", { name: "Accounts" }));
    forgetRefused(problems, "401 (Unauthorized)");
  });

  test("the password is asked for again when it was last entered long ago", async ({ showcase, open, problems }) => {
    const page = await openAdmin(open, showcase, "/export-data/access");
    await page.getByLabel("Name", { exact: true }).fill("jo");
    await page.getByLabel("Password", { exact: true }).fill("long enough for jo");
    await fakeReply(page, "/api/admin/accounts", 403, { detail: "Nothing has been changed yet.", code: "password_required" });
    const save = page.getByRole("button", { name: "Save account" });
    const dialog = page.getByRole("dialog", { name: "Please enter your password to continue" });
    const password = dialog.getByLabel("Your password", { exact: true });
    await save.click();
    await expectFocus(password);
    await expectFine(page, "the question for the password");
    await page.keyboard.press("Escape");
    await page.getByText("Nothing has been changed yet.").waitFor();
    await expectFocus(save);

    await save.click();
    await password.fill("not the password");
    await page.keyboard.press("Enter");
    await dialog.getByText("This is not your password. Please try again.").waitFor();
    await expectFocus(password);
    await page.unrouteAll();
    await password.fill(adminPassword);
    await press(page, dialog.getByRole("button", { name: "Continue" }));
    await toast(page, "Account Added").waitFor();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Remove jo" }).click();
    await page.getByRole("button", { name: "Really remove jo" }).click();
    await toast(page, "Account Removed").waitFor();
    forgetRefused(problems, "/api/admin/session/confirm");
  });
});

describe("the audit log and the backups", () => {
  test("tell who did what, and make a backup at once", async ({ showcase, open }) => {
    const page = await openAdmin(open, showcase, "/export-data/backups");
    await page.getByRole("button", { name: "Back up now" }).click();
    await toast(page, "Backup Made").waitFor();
    await page.getByRole("cell", { name: /minutes?$/ }).first().waitFor();
    await expectFine(page, "the backups");
    await fakeReply(page, "/api/backups", 503, { detail: "The disk is full." });
    await page.getByRole("button", { name: "Back up now" }).click();
    await page.getByText("The disk is full.").first().waitFor();
    await page.unrouteAll();
    await goTo(page, "/export-data/audit");
    await page.getByRole("rowheader", { name: "A backup was made." }).first().waitFor();
    await expectFine(page, "the audit log");
    await page.getByLabel("What").selectOption("backup made");
    await expect.poll(() => page.getByRole("rowheader", { name: "Signed in." }).count()).toBe(0);
    await fakeReply(page, "/api/audit", 500);
    await page.getByRole("button", { name: "Refresh" }).click();
    await page.getByText("The audit log could not be loaded.").waitFor();
  });

  test("the first page lists what needs attention, with the samples that are left", async ({ showcase, open }) => {
    const page = await openAdmin(open, showcase, "/export-data", { replies: { "/api/attention": {
      items: [
        { room: "outbox", path: "/export-data/outbox?state=failed", sentence: "Emails that could not be sent: 2. See the outbox." },
        { room: "waitlist-signups", path: "/export-data/waitlist-signups?status=set_aside", sentence: "Submissions held for review as possible spam among the waitlist signups: 2." },
        { room: "", path: "", sentence: "The disk is nearly full." },
      ], samples: ["venue.hotels[0]"], portraits: ["home.quote"],
    } } });
    const look = page.getByRole("region", { name: "Needs your attention" });
    const placeholders = page.getByRole("region", { name: "Placeholders on the site" });
    await placeholders.getByText("One text on the site is still a placeholder").click();
    await placeholders.getByText("Venue: 1").waitFor();
    await placeholders.getByText("Visitors see no face or work in one place").click();
    await placeholders.getByText("Home: 1").waitFor();
    await expectFine(page, "a first page with something to look at");
    await press(page, look.getByRole("link", { name: /^Emails that could not be sent: 2/ }));
    await page.getByRole("heading", { level: 1, name: "Outbox" }).waitFor();
    expect(new URL(page.url()).search).toBe("?state=failed");
    await page.goBack();
    await expect.poll(() => look.getByRole("link").count()).toBe(2);
    await press(page, look.getByRole("link", { name: /^Submissions held for review/ }));
    await page.getByText("Nothing found with the status Held for review").waitFor();
  });
});
