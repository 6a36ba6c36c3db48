import type { Page } from "playwright-core";
import { describe } from "vitest";
import { expectAccessible } from "./support/axe";
import { desktop, phone, resize } from "./support/browser";
import { expectFocus } from "./support/keyboard";
import { changeElsewhere, forgetRefused, openAdmin, signedIn } from "./support/admin";
import { photo } from "./support/photo";
import { adminPassword, type Showcase } from "./support/showcase";
import { expect, test } from "./support/test";

const editor = "/export-data/site";
const toast = (page: Page, title: string) => page.getByRole("region", { name: /Notifications/ }).getByText(title, { exact: true });
const state = (page: Page) => page.locator(".site-state");
const isSaved = async (page: Page) => void (await state(page).getByText(/^Saved/).waitFor());
const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name }).waitFor();

async function expectFine(page: Page, name: string): Promise<void> {
  for (const viewport of [desktop, phone]) {
    await resize(page, viewport);
    expect(await page.evaluate(() => document.documentElement.scrollWidth), `${name} at ${viewport.width} px`).toBe(viewport.width);
    await expectAccessible(page, `${name} at ${viewport.width} px`);
  }
}

/** What a visitor reads now. */
async function publicText({ origin }: Showcase, path: string): Promise<string> {
  return (await fetch(origin + path)).text();
}

/** The draft as the server has it. */
async function draftOf(showcase: Showcase): Promise<{ content: { event: Record<string, string>; pricing: { participantFeeCents: number }; faq: { sections: { items: { question: string }[] }[] } }; changes: unknown[] }> {
  const session = await signedIn(showcase);
  const cookie = session && typeof session === "object" ? session.cookies.map(({ name, value }) => `${name}=${value}`).join("; ") : "";
  return (await (await fetch(`${showcase.origin}/api/content/draft`, { headers: { cookie } })).json()) as never;
}

async function signInAgain(page: Page): Promise<void> {
  await page.getByLabel("Admin password").fill(adminPassword);
  await page.keyboard.press("Enter");
}

/** Somebody else changes the draft. */
async function changeDraft(showcase: Showcase, changes: object[]): Promise<void> {
  await changeElsewhere(showcase, "PATCH", "/api/content/draft", { changes });
}

async function openPart(page: Page, name: string): Promise<void> {
  await page.getByRole("link", { name: "All parts of the website" }).click();
  await page.getByRole("link", { name, exact: true }).click();
  await heading(page, name);
}

describe("the site editor on a phone", () => {
  test("confirms a speaker with a photo, moves a session, closes entry, changes the price, publishes, and takes it all back", async ({ showcase, open, problems }) => {
    const before = { people: await publicText(showcase, "/speakers-judges"), schedule: await publicText(showcase, "/schedule"), entry: await publicText(showcase, "/enter-competition") };
    expect(before.people).toContain("Featured Speaker One");
    const page = await openAdmin(open, showcase, editor, { viewport: phone });
    await heading(page, "Website");
    await expectFine(page, "the editor's start");

    await page.getByRole("link", { name: "People", exact: true }).click();
    await heading(page, "People");
    await page.getByRole("button", { name: /^Featured Speakers/ }).click();
    await page.getByRole("button", { name: /^Featured Speaker One/ }).click();
    await page.getByLabel("This is still a sample").uncheck();
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("Ana Lima");
    await page.getByRole("button", { name: "Choose a photo…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Photo", { exact: true }).setInputFiles({ name: "ana.jpg", mimeType: "image/jpeg", buffer: await photo(page) });
    await dialog.getByLabel("What the picture shows").fill("");
    await dialog.getByRole("button", { name: "Use this photo" }).click();
    await dialog.getByText("Please describe the picture for people who cannot see it.").waitFor();
    await dialog.getByLabel("What the picture shows").fill("Ana Lima in her studio");
    await dialog.getByLabel("From the top").fill("0.25");
    await expectFine(page, "choosing a photo");
    await dialog.getByRole("button", { name: "Use this photo" }).click();
    await page.getByRole("img", { name: "Ana Lima in her studio" }).waitFor();
    await isSaved(page);
    await expectFine(page, "a person");

    await openPart(page, "Schedule");
    await page.getByRole("button", { name: /^Day 1/ }).click();
    // The second talk becomes the first, and takes its time.
    await page.getByRole("button", { name: /^Move .*Speaker session 2/ }).press("ArrowUp");
    await page.getByText("Speaker session 2 is now 3 of 18.").waitFor({ state: "attached" });
    await isSaved(page);
    await expectFine(page, "the schedule");

    await openPart(page, "Openings and forms");
    await page.getByRole("button", { name: /^Competition entries/ }).click();
    await page.getByLabel(/^Open/).uncheck();
    await page.getByLabel("What visitors read while it is closed").fill("Entries are closed. Thank you.");
    await isSaved(page);

    await openPart(page, "Pass, prices and tax");
    await page.getByLabel(/^Priority price/).fill("479.50");
    await page.getByLabel("From the day after").selectOption("regular");
    await isSaved(page);
    await expectFine(page, "the prices");

    expect(await publicText(showcase, "/speakers-judges"), "nothing is live yet").toBe(before.people);
    await page.getByRole("link", { name: "Preview" }).click();
    await heading(page, "Preview");
    await page.getByLabel("Page").selectOption("speakers-judges");
    const frame = page.frameLocator("iframe");
    await frame.getByRole("heading", { name: "Ana Lima" }).waitFor();
    await page.getByRole("button", { name: "Desktop" }).click();
    await frame.getByRole("heading", { name: "Ana Lima" }).waitFor();
    await page.getByLabel("As of").fill("2026-03-30");
    await frame.getByRole("heading", { name: "Ana Lima" }).waitFor();

    await page.getByRole("link", { name: "All parts of the website" }).click();
    await page.getByRole("link", { name: /^Review and publish/ }).click();
    await heading(page, "Changes");
    const changes = page.getByRole("main");
    for (const said of ["Ana Lima", "$479.50", "Charge the regular price", "Entries are closed. Thank you."]) await changes.getByText(said).first().waitFor();
    await expectFine(page, "the changes");
    await page.getByLabel("Note").fill("Ana Lima speaks");
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await heading(page, "Versions");
    // Live within a second.
    await expect.poll(() => publicText(showcase, "/speakers-judges")).toMatch(/srcset="[^"]+"[^>]*alt="Ana Lima"/i);
    const schedule = await publicText(showcase, "/schedule");
    expect(schedule.indexOf("Speaker session 2")).toBeLessThan(schedule.indexOf("Speaker session 1"));
    expect(await publicText(showcase, "/enter-competition")).toContain("Entries are closed. Thank you.");
    await page.getByText("Ana Lima speaks").waitFor();
    await page.getByRole("link", { name: "What changed" }).first().click();
    await page.getByText("$479.50").first().waitFor();
    await expectFine(page, "the versions");

    await page.getByRole("button", { name: "Restore the previous version" }).click();
    await toast(page, "Version Restored").waitFor();
    await expect.poll(() => publicText(showcase, "/speakers-judges")).toBe(before.people);
    expect(await publicText(showcase, "/schedule")).toBe(before.schedule);
    expect(await publicText(showcase, "/enter-competition")).toBe(before.entry);
    // No script runs in a preview, and the browser says so.
    forgetRefused(problems, "Blocked script execution");
  });
});

describe("what is typed", () => {
  test("is kept while there is no connection, and saved when it is back", async ({ showcase, open, problems }) => {
    const page = await openAdmin(open, showcase, `${editor}?part=facts`);
    await heading(page, "Facts and dates");
    await page.route("**/api/content/draft", (route) => (route.request().method() === "PATCH" ? route.abort() : route.fallback()));
    await page.getByLabel("Short name").fill("The Showcase");
    await state(page).getByText("No connection.").waitFor();
    await expectFine(page, "without a connection");
    await page.unroute("**/api/content/draft");
    await page.getByRole("button", { name: "Try now" }).click();
    await isSaved(page);
    expect((await draftOf(showcase)).content.event.shortName).toBe("The Showcase");
    forgetRefused(problems, "/api/content/draft");
  });

  test("is saved before signing out, and what cannot be saved is not lost without a question", async ({ showcase, open, problems }) => {
    const page = await openAdmin(open, showcase, `${editor}?part=pass`);
    await page.getByLabel(/^Priority price/).fill("460");
    await page.getByRole("button", { name: "Sign out" }).click();
    await heading(page, "Organiser’s pages");
    expect((await draftOf(showcase)).content.pricing.participantFeeCents, "typed a moment before").toBe(46_000);

    await signInAgain(page);
    await page.getByLabel(/^Priority price/).fill("900");
    await page.getByRole("button", { name: "Sign out" }).click();
    const question = page.getByRole("dialog", { name: "Sign out without saving?" });
    await question.getByText("changes to the website").waitFor();
    await expectFine(page, "the question before signing out");
    await question.getByRole("button", { name: "Stay signed in" }).click();
    expect(await page.getByLabel(/^Priority price/).inputValue()).toBe("900.00");
    await page.getByRole("button", { name: "Sign out" }).click();
    await question.getByRole("button", { name: "Sign out" }).click();
    await heading(page, "Organiser’s pages");
    expect(await page.evaluate(() => sessionStorage.getItem("site-draft")), "nothing is left for the next person").toBeNull();
    await signInAgain(page);
    await page.getByLabel(/^Priority price/).waitFor();
    expect(await page.getByLabel(/^Priority price/).inputValue()).toBe("460.00");
    forgetRefused(problems, "/api/content/draft");
  });

  test("waits while the session has ended, and is saved after signing in again", async ({ showcase, open, problems }) => {
    const page = await openAdmin(open, showcase, `${editor}?part=facts`);
    await page.getByLabel("Region", { exact: true }).waitFor();
    await page.context().clearCookies();
    await page.getByLabel("Region", { exact: true }).fill("After the session");
    await page.getByText("Your session has ended.").waitFor();
    await signInAgain(page);
    await isSaved(page);
    expect((await draftOf(showcase)).content.event.region).toBe("After the session");
    forgetRefused(problems, "/api/");
  });

  test("is refused with the checker's sentence at its field, and saved with the field that it needs", async ({ showcase, open, problems }) => {
    const page = await openAdmin(open, showcase, `${editor}?part=pass`);
    await page.getByLabel(/^Priority price/).fill("900");
    await state(page).getByText("Not everything is saved yet.").waitFor();
    await page.getByText("Must not be lower than “Priority price”.").waitFor();
    await page.getByRole("link", { name: "One field needs your attention." }).click();
    await expectFocus(page.getByLabel(/^Regular price/));
    await expectFine(page, "a refused price");
    await page.getByLabel(/^Regular price/).fill("990");
    await isSaved(page);
    await page.getByLabel(/^Priority price/).fill("0.30");
    await page.getByText("Please enter an amount from $0.50 to $100000.00.").waitFor();
    forgetRefused(problems, "/api/content/draft");
  });

  test("and somebody else has changed too is shown in both versions", async ({ showcase, open, problems }) => {
    const page = await openAdmin(open, showcase, `${editor}?part=facts`);
    await page.getByLabel("Region", { exact: true }).waitFor();
    await changeDraft(showcase, [{ path: "event.region", value: "Theirs" }]);
    await page.getByLabel("Region", { exact: true }).fill("Mine");
    const both = page.getByRole("alert");
    await both.getByText("Theirs: Theirs").waitFor();
    await both.getByText("Yours: Mine").waitFor();
    await expectFine(page, "two versions of a field");
    await both.getByRole("button", { name: "Keep yours" }).click();
    await isSaved(page);
    expect((await draftOf(showcase)).content.event.region).toBe("Mine");
    forgetRefused(problems, "/api/content/draft");
  });

  test("moves in a list by pointer, is added, removed and brought back", async ({ showcase, open }) => {
    const page = await openAdmin(open, showcase, `${editor}?part=faq`);
    await page.getByRole("button", { name: /^General Event Info/ }).click();
    const questions = page.getByRole("list", { name: "Questions" });
    const handle = questions.getByRole("button", { name: /^Move When and where/ });
    await handle.hover();
    const to = await questions.getByRole("button", { name: /^Move Who is it for/ }).boundingBox();
    await page.mouse.down();
    await page.mouse.move((to?.x ?? 0) + 10, (to?.y ?? 0) + (to?.height ?? 0) - 2, { steps: 5 });
    await page.mouse.up();
    const titles = async () => (await draftOf(showcase)).content.faq.sections[0]?.items.map(({ question }) => question) ?? [];
    await expect.poll(async () => (await titles())[2]).toBe("When and where is it?");
    await page.getByRole("button", { name: "Add a question" }).click();
    await expectFocus(page.getByLabel("Question", { exact: true }));
    await page.getByLabel("Question", { exact: true }).fill("Is there a cloakroom?");
    await page.getByRole("textbox", { name: "Answer" }).last().fill("Yes.");
    await expect.poll(async () => (await titles()).at(-1)).toBe("Is there a cloakroom?");
    await page.getByRole("button", { name: "Remove Is there a cloakroom?" }).click();
    await expect.poll(async () => (await titles()).length).toBe(5);
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(async () => (await titles()).at(-1)).toBe("Is there a cloakroom?");
  });

  test("is published once, also when the connection breaks while it is published", async ({ showcase, open, problems }) => {
    await changeDraft(showcase, [{ path: "event.region", value: "Before the line broke" }]);
    const page = await openAdmin(open, showcase, `${editor}?view=changes`);
    const revisions = async () => {
      const { cookies } = (await signedIn(showcase)) as { cookies: { name: string; value: string }[] };
      return ((await (await fetch(`${showcase.origin}/api/content/revisions`, { headers: { cookie: cookies.map(({ name, value }) => `${name}=${value}`).join("; ") } })).json()) as { items: unknown[] }).items.length;
    };
    const before = await revisions();
    // The request does not arrive.
    await page.route("**/draft/publish", (route) => route.abort(), { times: 1 });
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await toast(page, "Error").waitFor();
    expect(await revisions()).toBe(before);
    // It arrives, and the answer does not.
    await page.route("**/draft/publish", async (route) => {
      await route.fetch();
      await route.abort();
    }, { times: 1 });
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await heading(page, "Versions");
    expect(await revisions()).toBe(before + 1);
    forgetRefused(problems, "/draft/publish");
  });

  test("is not overtaken by a version that is restored from an older page", async ({ showcase, open, problems }) => {
    const page = await openAdmin(open, showcase, `${editor}?view=versions`);
    const restore = page.getByRole("button", { name: "Restore the previous version" });
    await restore.waitFor();
    await changeDraft(showcase, [{ path: "event.city", value: "Hoboken, NJ" }]);
    await restore.click();
    await toast(page, "Error").waitFor();
    // The page has read the draft again.
    await restore.click();
    await toast(page, "Version Restored").waitFor();
    expect((await draftOf(showcase)).content.event.city).toBe("Hoboken, NJ");
    forgetRefused(problems, "/restore");
  });

  test("is discarded", async ({ showcase, open }) => {
    await changeDraft(showcase, [{ path: "event.city", value: "Newark, NJ" }]);
    const page = await openAdmin(open, showcase, `${editor}?view=changes`);
    await page.getByRole("button", { name: "Discard…" }).click();
    await page.getByRole("button", { name: "Discard the draft" }).click();
    await page.getByText("There is nothing to publish").waitFor();
    expect((await draftOf(showcase)).changes).toEqual([]);
  });
});
