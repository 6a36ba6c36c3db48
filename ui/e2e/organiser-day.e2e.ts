import type { Page } from "playwright-core";
import { describe } from "vitest";
import { askAsOrganiser, forgetRefused, openAdmin, register, toast } from "./support/admin";
import { expectAccessible } from "./support/axe";
import { entry } from "./support/competitor";
import { goTo, live, phone, reload } from "./support/browser";
import { expectFocus } from "./support/keyboard";
import { answersOf, continueButton, entriesOf, entryForm, readyEntry } from "./support/entry";
import { answerAtOnce } from "./support/answers";
import { adminPassword } from "./support/showcase";
import { stickingOut } from "./support/sticking-out";
import { expect, testWith } from "./support/test";

const test = testWith({ flags: ["--demo"] });

/** Opens a page through the menu of a phone; one that is a tab through its entry of the menu. */
async function chooseSection(page: Page, name: string, { entry: inMenu = name, tab }: { entry?: string; tab?: string } = {}): Promise<void> {
  await page.locator(".admin-menu-button").click();
  await page.getByRole("navigation", { name: "Admin" }).getByRole("link", { name: new RegExp(`^${inMenu}( \\d+ new)?$`) }).click();
  if (tab) await page.getByRole("navigation", { name: inMenu }).getByRole("link", { name: tab, exact: true }).click();
  await page.getByRole("heading", { level: 1, name }).waitFor();
  await live(page);
}

async function expectFits(page: Page, name: string): Promise<void> {
  expect(await stickingOut(page), name).toEqual([]);
  await expectAccessible(page, name);
}

describe("an invitation from the waitlist", () => {
  test("leads from its email to an entry that accepts it, though the form is closed", async ({ showcase, open }) => {
    const email = "dana.waits@example.com";
    await register(showcase, "waitlist-signups", { name: "Dana Waits", email, wantToCompete: true });
    const organiser = await openAdmin(open, showcase, "/export-data/forms");
    const card = organiser.getByRole("region", { name: "Competition entries" });
    await card.getByRole("button", { name: "Close…" }).click();
    await card.getByRole("button", { name: "Close competition entries" }).click();
    await card.getByText("Closed. Visitors read: “This form is closed.”").waitFor();
    await goTo(organiser, "/export-data/mailings");
    await organiser.getByLabel("How many people").fill("0");
    await organiser.getByRole("button", { name: "Invite" }).click();
    await organiser.getByText("Please enter a number from 1 to 500").first().waitFor();
    await organiser.getByLabel("How many people").fill("500");
    await organiser.getByRole("button", { name: "Invite" }).click();
    await toast(organiser, "Invited").waitFor();
    await goTo(organiser, `/export-data/waitlist-signups?search=${email}`);
    await organiser.getByRole("link", { name: "Dana Waits" }).click();
    await organiser.getByText("Invitation: Invited, until").waitFor();
    const record = organiser.url();
    await organiser.getByRole("region", { name: "Emails" }).getByRole("link").first().click();
    const link = organiser.frameLocator("iframe").locator("a[href*='#invitation=']").first();
    const address = new URL(await link.getAttribute("href") ?? "");

    const page = await open("/enter-competition");
    const isClosed = page.getByRole("heading", { name: "This form is closed." });
    const closed = async () => {
      await reload(page);
      return isClosed.count();
    };
    await expect.poll(closed).toBe(1);
    expect(await entryForm(page).count()).toBe(0);
    await page.goto("about:blank");
    await goTo(page, `${address.pathname}${address.hash}`);
    const form = await readyEntry(page);
    expect(page.url(), "the token is removed from the history").not.toContain("invitation");
    await reload(page);
    await expect.poll(() => form.getByRole("textbox", { name: "Email" }).inputValue(), { message: "the invited person's address" }).toBe(email);
    // An entry with another email address accepts the invitation too, because the visitor came by its link.
    await answerAtOnce(form, answersOf("dana.enters@example.com"));
    await continueButton(page).click();
    await page.getByRole("button", { name: /^Pay .+ with the test card$/ }).click();
    await page.getByRole("heading", { level: 1, name: "Registration Complete!" }).waitFor();
    expect(await entriesOf(showcase, "dana.enters@example.com")).toMatchObject([{ paymentStatus: "paid" }]);
    await goTo(page, "/enter-competition");
    await isClosed.waitFor();
    await goTo(organiser, record);
    await organiser.getByText("Invitation: Accepted").waitFor();
    await askAsOrganiser(showcase, "POST", "/api/openings/competition-entries", { open: true });
    await expect.poll(closed).toBe(0);
  });
});

describe("an organiser on a phone", () => {
  test("corrects a name, withdraws an entry, prints a list, and writes to a group", async ({ showcase, open, problems }) => {
    await register(showcase, "competition-entries", { ...entry, name: "Ida Misspeled", email: "ida@example.com", businessName: "Sampel Studio" });
    const page = await open("/export-data", { viewport: phone });
    await page.getByLabel("Admin password").fill(adminPassword);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();

    // The parts of the overview that are not needed every day are folded on a phone.
    const exportButton = page.getByRole("button", { name: "Download CSV" });
    await page.getByRole("heading", { name: "Latest" }).waitFor();
    expect(await exportButton.isVisible()).toBe(false);
    await page.getByRole("heading", { name: "Exports" }).click();
    await exportButton.waitFor();

    // A name is misspelled.
    await chooseSection(page, "Competition entries", { entry: "Registrations", tab: "Entries" });
    await page.getByRole("searchbox", { name: /^Search names/ }).fill("Misspeled");
    await page.getByRole("link", { name: "Ida Misspeled" }).click();
    await page.getByRole("heading", { level: 1, name: "Ida Misspeled" }).waitFor();
    const corrections = page.getByRole("region", { name: "Corrections" });
    await corrections.getByRole("button", { name: "Correct answers…" }).click();
    await corrections.getByLabel("Which answer is wrong?").selectOption("Full name");
    await corrections.getByLabel("Full name").fill("Ida Misspelled");
    await corrections.getByLabel("Another answer").selectOption("Subcategory");
    await corrections.getByLabel("Subcategory").selectOption("Classic");
    await corrections.getByLabel(/^Reason/).fill("She called");
    await expectFits(page, "a correction on a phone");
    await corrections.getByRole("button", { name: "Save correction" }).click();
    await page.getByRole("heading", { level: 1, name: "Ida Misspelled" }).waitFor();
    expect(await entriesOf(showcase, "ida@example.com")).toMatchObject([{ name: "Ida Misspelled", subCategory: "Classic" }]);

    // She withdraws.
    await page.getByRole("navigation", { name: "On this page" }).getByRole("button", { name: "Taking part" }).click();
    await expectFocus(page.getByRole("heading", { name: "Taking part" }));
    const part = page.getByRole("region", { name: "Taking part" });
    await part.getByRole("button", { name: "Withdraw…" }).click();
    await part.getByLabel(/^Reason/).fill("She has moved away");
    await expectFits(page, "a withdrawal on a phone");
    // A colleague has changed the entry meanwhile: the page first shows what is stored now.
    await askAsOrganiser(showcase, "PATCH", `/api/competition-entries/${new URL(page.url()).searchParams.get("id")}/fields`, { values: { businessName: "Sample Studio" }, reason: "By phone" });
    await part.getByRole("button", { name: "Withdraw this entry" }).click();
    await page.getByText("Sample Studio", { exact: true }).waitFor();
    expect(await part.getByLabel(/^Reason/).inputValue()).toBe("She has moved away");
    await part.getByRole("button", { name: "Withdraw this entry" }).click();
    await toast(page, "Withdrawn").waitFor();
    await part.getByRole("button", { name: "Take it back" }).waitFor();

    // The door needs its list.
    await chooseSection(page, "Lists");
    await page.frameLocator("iframe").getByRole("heading", { name: "Door list" }).waitFor();
    const frame = page.frames().find((one) => one.url().includes("/api/lists/door/html"));
    await frame!.evaluate(() => void (window.print = () => (document.body.dataset.printed = "")));
    await page.getByRole("button", { name: "Print" }).click();
    await page.frameLocator("iframe").locator("body[data-printed]").waitFor();
    await expectFits(page, "the lists on a phone");

    // Volunteers let people in with their phones.
    await chooseSection(page, "Door");
    await page.getByRole("heading", { name: "Phones at the door" }).waitFor();
    await expectFits(page, "the door on a phone");

    // The hall has changed.
    await register(showcase, "waitlist-signups", { name: "Bea Example", email: "bea@example.com" });
    await chooseSection(page, "Emails to groups");
    await page.getByRole("link", { name: "Write an email" }).click();
    await page.getByLabel("Kind").selectOption("Waitlist signups");
    await page.getByLabel("What it is").selectOption("The place has changed: everybody must know");
    await page.getByLabel("Subject").fill("Another hall");
    await page.getByRole("textbox", { name: "Text" }).fill("Hello {name}, we are in the hall next door.");
    await expectFits(page, "an email to a group on a phone");
    await page.getByRole("button", { name: "Save draft" }).click();
    await page.getByRole("heading", { level: 1, name: "Another hall" }).waitFor();
    await page.getByRole("button", { name: "Send…" }).click();
    await page.getByRole("button", { name: /^Send to \d+ (person|people)$/ }).click();
    await toast(page, "Sending").waitFor();
    await chooseSection(page, "Outbox", { entry: "Settings and records", tab: "Outbox" });
    await page.getByRole("link", { name: "Another hall" }).first().waitFor();

    await chooseSection(page, "Audit log", { entry: "Settings and records", tab: "Audit log" });
    await page.getByRole("rowheader", { name: /^Signed in\.\s*Shared password, / }).first().waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { level: 1, name: "Organiser’s pages" }).waitFor();
    forgetRefused(problems, "/api/competition-entries");
  });
});
