import type { Page } from "playwright-core";
import { describe } from "vitest";
import { expectAccessible } from "./support/axe";
import { phone } from "./support/browser";
import { expectFocus } from "./support/keyboard";
import { askAsOrganiser, expectFine, forgetRefused, openAdmin, signInAgain, toast } from "./support/admin";
import { photo } from "./support/photo";
import { type Showcase } from "./support/showcase";
import { expect, test } from "./support/test";

const editor = "/export-data/site";
const state = (page: Page) => page.locator(".site-state");
const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name }).waitFor();

async function saveDraft(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Save draft" }).click();
  await state(page).getByText(/^Saved/).waitFor();
}

/** What a visitor reads now. */
async function publicText({ origin }: Showcase, path: string): Promise<string> {
  return (await fetch(origin + path)).text();
}

interface Content {
  event: Record<string, string>;
  pricing: { participantFeeCents: number };
  faq: { sections: { items: { question: string }[] }[] };
  about: { expect: string[] };
}

/** The draft as the server has it. */
const draftOf = (showcase: Showcase) => askAsOrganiser<{ content: Content; changes: unknown[] }>(showcase, "GET", "/api/content/draft");

/** Somebody else changes the draft. */
const changeDraft = (showcase: Showcase, changes: object[]) => askAsOrganiser(showcase, "PATCH", "/api/content/draft", { changes });

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
    await state(page).getByText("Not saved yet.").waitFor();
    await expectFine(page, "a person");
    await saveDraft(page);
    // What was open stays open.
    expect(await page.getByRole("textbox", { name: "Name", exact: true }).inputValue()).toBe("Ana Lima");

    await openPart(page, "Schedule");
    await page.getByRole("button", { name: /^Day 1/ }).click();
    // The second talk becomes the first, and takes its time.
    await page.getByRole("button", { name: /^Move .*Speaker session 2/ }).press("ArrowUp");
    await page.getByText("Speaker session 2 is now 3 of 18.").waitFor({ state: "attached" });
    await expectFocus(page.getByRole("button", { name: /^Move 10:45 AM.*Speaker session 2/ }));
    await saveDraft(page);
    await expectFine(page, "the schedule");

    await openPart(page, "Openings and forms");
    await page.getByRole("button", { name: /^Competition entries/ }).click();
    await page.getByLabel(/^Open/).uncheck();
    await page.getByLabel("What visitors read while it is closed").fill("Entries are closed. Thank you.");
    await saveDraft(page);

    await openPart(page, "Pass, prices and tax");
    await page.getByLabel(/^Priority price/).fill("479.50");
    await page.getByLabel("From the day after").selectOption("regular");
    // Enter saves too.
    await page.getByLabel(/^Priority price/).press("Enter");
    await state(page).getByText(/^Saved/).waitFor();
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
    for (const text of ["Ana Lima", "$479.50", "Charge the regular price", "Entries are closed. Thank you.", "Moved from place 4 to 3"]) await changes.getByText(text).first().waitFor();
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
  test("is not lost without a question: by a link, by signing out, by closing the tab; the back button keeps it", async ({ showcase, open }) => {
    const page = await openAdmin(open, showcase, editor);
    await page.getByRole("link", { name: "Pass, prices and tax", exact: true }).click();
    const price = page.getByLabel(/^Priority price/);
    await price.fill("460");
    for (const link of ["All parts of the website", "Preview", "Email texts"]) {
      await page.getByRole("link", { name: link, exact: true }).click();
      const question = page.getByRole("dialog", { name: "Leave without saving?" });
      await expectAccessible(page, "the question before leaving");
      await question.getByRole("button", { name: "Stay here" }).click();
    }
    await heading(page, "Pass, prices and tax");

    await page.getByRole("button", { name: "Sign out" }).click();
    const signOut = page.getByRole("dialog", { name: "Sign out without saving?" });
    await signOut.getByText("changes to the website").waitFor();
    await signOut.getByRole("button", { name: "Stay signed in" }).click();
    const asked = page.waitForEvent("dialog");
    await page.close({ runBeforeUnload: true });
    const closing = await asked;
    expect(closing.type()).toBe("beforeunload");
    await closing.dismiss();

    await page.goBack();
    await heading(page, "Website");
    await page.goForward();
    await expect.poll(() => price.inputValue()).toBe("460.00");
    await state(page).getByText("Not saved yet.").waitFor();
    await page.getByRole("link", { name: "All parts of the website" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Leave" }).click();
    await heading(page, "Website");
    await page.getByRole("link", { name: "Pass, prices and tax", exact: true }).click();
    await expect.poll(() => price.inputValue()).toBe("449.00");

    // Nothing is left for the next person.
    await price.fill("460");
    await page.getByRole("button", { name: "Sign out" }).click();
    await signOut.getByRole("button", { name: "Sign out" }).click();
    await heading(page, "Organiser’s pages");
    await signInAgain(page);
    await expect.poll(() => price.inputValue()).toBe("449.00");
    expect((await draftOf(showcase)).content.pricing.participantFeeCents).toBe(44_900);
  });

  test("waits while there is no connection and while the session has ended", async ({ showcase, open, problems }) => {
    const page = await openAdmin(open, showcase, `${editor}?part=facts`);
    await page.getByLabel("Short name").fill("The Showcase");
    await page.route("**/api/content/draft", (route) => route.abort(), { times: 1 });
    await page.getByRole("button", { name: "Save draft" }).click();
    await page.getByText("The draft could not be saved. Please try again.").waitFor();
    await state(page).getByText("Not saved yet.").waitFor();
    await page.context().clearCookies();
    await page.getByLabel("Region", { exact: true }).fill("After the session");
    await page.getByRole("button", { name: "Save draft" }).click();
    await page.getByText("Your session has ended.").waitFor();
    await signInAgain(page);
    await expect.poll(() => page.getByLabel("Region", { exact: true }).inputValue()).toBe("After the session");
    await saveDraft(page);
    const { event } = (await draftOf(showcase)).content;
    expect([event.shortName, event.region]).toEqual(["The Showcase", "After the session"]);
    forgetRefused(problems, "/api/content/draft", "401 (Unauthorized)");
  });

  test("is refused with the checker's sentence at its field, and saved with the field that it needs", async ({ showcase, open, problems }) => {
    const page = await openAdmin(open, showcase, `${editor}?part=pass`);
    const save = page.getByRole("button", { name: "Save draft" });
    await page.getByLabel(/^Priority price/).fill("900");
    await save.click();
    await page.getByText("Must not be lower than “Priority price”.").waitFor();
    await expectFocus(page.getByLabel(/^Regular price/));
    await page.getByRole("button", { name: "One field needs your attention." }).click();
    await expectFocus(page.getByLabel(/^Regular price/));
    await expectFine(page, "a refused price");
    await page.getByLabel(/^Regular price/).fill("990");
    await saveDraft(page);
    await page.getByLabel(/^Priority price/).fill("0.30");
    await save.click();
    await page.getByText("Please enter an amount from $0.50 to $100000.00.").waitFor();
    await expectFocus(page.getByLabel(/^Priority price/));
    await page.getByLabel(/^Priority price/).fill("449");

    // In a row that is closed.
    await page.getByRole("button", { name: /^What is included|^Add a feature/ }).first().click();
    await page.getByRole("button", { name: /^New feature/ }).click();
    await save.click();
    await page.getByText("This text must not be empty.").waitFor();
    await expectFocus(page.getByLabel("Text", { exact: true }));
    forgetRefused(problems, "/api/content/draft");
  });

  test("and somebody else has changed too is shown in both versions; what only one has changed is not", async ({ showcase, open, problems }) => {
    const page = await openAdmin(open, showcase, `${editor}?part=facts`);
    const region = page.getByLabel("Region", { exact: true });
    await region.fill("Mine");
    await changeDraft(showcase, [{ path: "event.city", value: "Jersey City, NJ" }]);
    await saveDraft(page);
    expect(await page.getByLabel("City", { exact: true }).inputValue()).toBe("Jersey City, NJ");

    const both = page.getByRole("main").getByRole("alert");
    for (const [choice, typed, kept] of [["Save mine", "Mine again", "Mine again"], ["Use what is stored", "Mine at last", "Theirs"]] as const) {
      await changeDraft(showcase, [{ path: "event.region", value: "Theirs" }]);
      await region.fill(typed);
      await page.getByRole("button", { name: "Save draft" }).click();
      await both.getByText("Now stored: Theirs").waitFor();
      await both.getByText(`Yours: ${typed}`).waitFor();
      await expectFine(page, "two versions of a field");
      await page.getByRole("button", { name: choice }).click();
      await both.waitFor({ state: "detached" });
      await state(page).getByText(/^Saved/).waitFor();
      expect(await region.inputValue()).toBe(kept);
      expect((await draftOf(showcase)).content.event.region).toBe(kept);
    }
    forgetRefused(problems, "/api/content/draft");
  });

  test("moves in a list by pointer and keyboard, is added, removed and brought back", async ({ showcase, open }) => {
    const page = await openAdmin(open, showcase, `${editor}?part=faq`);
    await page.getByRole("button", { name: /^General Event Info/ }).click();
    const questions = page.getByRole("list", { name: "Questions" });
    const handle = questions.getByRole("button", { name: /^Move When and where/ });
    await handle.hover();
    const to = await questions.getByRole("button", { name: /^Move Who is it for/ }).boundingBox();
    await page.mouse.down();
    await page.mouse.move((to?.x ?? 0) + 10, (to?.y ?? 0) + (to?.height ?? 0) - 2, { steps: 5 });
    await page.mouse.up();
    await page.getByRole("button", { name: "Add a question" }).click();
    await expectFocus(page.getByLabel("Question", { exact: true }));
    await page.getByLabel("Question", { exact: true }).fill("Is there a cloakroom?");
    await page.getByRole("textbox", { name: "Answer" }).last().fill("Yes.");
    await page.getByRole("button", { name: "Remove Is there a cloakroom?" }).click();
    await expectFocus(page.getByRole("button", { name: "Undo" }));
    await expect.poll(() => questions.getByRole("button", { name: /^Move / }).count()).toBe(5);
    await page.getByRole("button", { name: "Undo" }).click();
    await saveDraft(page);
    const titles = (await draftOf(showcase)).content.faq.sections[0]?.items.map(({ question }) => question) ?? [];
    expect([titles[2], titles.at(-1), titles.length]).toEqual(["When and where is it?", "Is there a cloakroom?", 6]);

    // Plain lines.
    await openPart(page, "About and organiser");
    const points = page.getByRole("list", { name: "What to expect" });
    const first = await points.getByRole("textbox").first().inputValue();
    await points.getByRole("button", { name: `Move “${first}”` }).press("ArrowDown");
    await expectFocus(points.getByRole("button", { name: `Move “${first}”` }));
    await page.getByRole("button", { name: "Add a point" }).click();
    await expectFocus(points.getByRole("textbox").last());
    await page.keyboard.type("A point more");
    await saveDraft(page);
    const { expect: stored } = (await draftOf(showcase)).content.about;
    expect([stored[1], stored.at(-1)]).toEqual([first, "A point more"]);
    await points.getByRole("button", { name: `Remove point ${stored.length}` }).click();
    await saveDraft(page);
    expect((await draftOf(showcase)).content.about.expect).toEqual(stored.slice(0, -1));
  });
});

describe("the draft", () => {
  test("is published once, also when the connection breaks while it is published", async ({ showcase, open, problems }) => {
    await changeDraft(showcase, [{ path: "event.region", value: "Before the line broke" }]);
    const page = await openAdmin(open, showcase, `${editor}?view=changes`);
    const revisions = async () => (await askAsOrganiser<{ items: unknown[] }>(showcase, "GET", "/api/content/revisions")).items.length;
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

  test("replaces a version that was published after it was begun only if she says so, or is discarded for it", async ({ showcase, open, problems }) => {
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

    await page.goto(`${editor}?view=changes`);
    const newer = page.getByRole("main").getByRole("alert");
    await newer.getByText(/^Version \d+ was published after this draft was begun\.$/).waitFor();
    await newer.getByText("Before the line broke").waitFor();
    await expectFine(page, "a newer version");
    await newer.getByRole("button", { name: "Keep mine" }).click();
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await heading(page, "Versions");
    await expect.poll(() => publicText(showcase, "/venue")).toContain("Hoboken, NJ");

    await changeDraft(showcase, [{ path: "event.city", value: "Union City, NJ" }]);
    await askAsOrganiser(showcase, "POST", "/api/content/revisions/0/restore", {});
    await page.goto(`${editor}?view=changes`);
    await newer.getByRole("button", { name: "Use what is published" }).click();
    await page.getByText("There is nothing to publish").waitFor();
    expect((await draftOf(showcase)).changes).toEqual([]);
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

  test("has a search that finds each text that names a day, and leads to it", async ({ showcase, open }) => {
    const page = await openAdmin(open, showcase, editor);
    const search = page.getByRole("search").filter({ hasText: "Find a text" });
    await search.getByLabel("Find a text").fill("March 28");
    await search.getByText(/^\d+ texts$/).waitFor();
    expect(await search.getByRole("listitem").count()).toBeGreaterThan(5);
    await expectFine(page, "texts that name a day");
    await search.getByLabel("Find a text").fill("no such words anywhere");
    await search.getByText("No text has this.").waitFor();
    await search.getByLabel("Find a text").fill("Teach for 20 minutes");
    await search.getByRole("link").click();
    await heading(page, "Openings and forms");
    expect(new URL(page.url()).searchParams.get("at")).toContain("apply.");
  });
});
