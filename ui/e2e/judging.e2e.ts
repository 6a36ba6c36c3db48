import type { Page } from "playwright-core";
import { describe, vi } from "vitest";
import { askAsOrganiser, expectToast, fakeReply, forgetRefused, openAdmin, signedIn } from "./support/admin";
import { expectAccessible } from "./support/axe";
import { desktop, goTo, heading, phone, reload, timeout } from "./support/browser";
import { expectFocus } from "./support/keyboard";
import { photo } from "./support/photo";
import type { Showcase } from "./support/showcase";
import { stickingOut } from "./support/sticking-out";
import { expect, test } from "./support/test";

const tablet = { width: 1024, height: 768 };
const path = "/export-data/judging?of=lash-extensions%2FVolume";
const names = [
  "Nguyễn Thị Hồng", "Ada Sample", "Bea Example", "Zoë Šimůnková", "Eva Sample", "Łucja Żak",
  "Cleo Example", "Åsa Öberg", "Dana Sample", "İpek Şahin", "Fay Example", "Gwen Sample",
];
const nominations = names.map((name, rank) => ({ name, email: `artist-${rank}@example.com`, code: `LE-${100 + rank}` }));
const onPaper = "LE-111";
const half = nominations.length / 2;
const judges = ["Ines", "Joy", "Kim"].map((name) => ({ name, email: `${name.toLowerCase()}@example.org` }));
const slots = ["open_front", "closed_above"];

const saved = (page: Page) => page.getByRole("status").filter({ hasText: /^All saved$/ }).waitFor();

const criteria = 9;

/** What a judge gives for one criterion: every judge gives each nomination 91 points less its rank. */
function pointsOf(max: number, { judge, rank, criterion }: { judge: number; rank: number; criterion: number }): number {
  return max - ((criterion + judge) % 3) - (criterion < rank ? 1 : 0) - (criterion < rank - criteria ? 1 : 0);
}

async function tokenOf(showcase: Showcase, email: string, template: "judge-link" | "artist-link"): Promise<string> {
  const { url } = await vi.waitUntil(() => showcase.makeSignInLink(email, template), { timeout });
  return new URL(url).hash;
}

/** Gives every criterion its points, by keyboard alone. */
async function score(page: Page, judge: number, rank: number): Promise<void> {
  const fields = page.locator(".criteria [data-stepper]");
  await fields.first().waitFor();
  const labels = await page.locator(".criteria .stepper-label").allInnerTexts();
  expect(labels).toHaveLength(criteria);
  await fields.first().focus();
  for (const [criterion, label] of labels.entries()) {
    // The focus moves within the key's event, so one check is enough.
    if (criterion === 1) await expectFocus(fields.nth(1));
    const max = Number(/of (\d+)/.exec(label)?.[1]);
    await page.keyboard.type(String(pointsOf(max, { judge, rank, criterion })));
    await page.keyboard.press("Enter");
  }
  await expect.poll(() => page.locator(".judge-total strong").innerText()).toBe(String(91 - rank));
}

async function confirm(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Confirm", exact: true }).click();
  await page.getByText("Confirmed. Only the head judge or the organizer can open it again.").waitFor();
}

/** Another app comes to the front. Settles when the device has stored what the page gives it then. */
async function hide(page: Page): Promise<void> {
  await page.evaluate(async () => {
    Object.defineProperty(document, "visibilityState", { configurable: true, value: "hidden" });
    document.dispatchEvent(new Event("visibilitychange"));
    const result = <T>(request: IDBRequest<T>) => new Promise<T>((settle, fail) => {
      request.onsuccess = () => settle(request.result);
      request.onerror = () => fail(request.error ?? new Error("refused"));
    });
    const database = await result(indexedDB.open("judge"));
    // The browser reads after it has written what was asked for before.
    await result(database.transaction("items").objectStore("items").count());
    database.close();
  });
}

/** Comments neither need to leave the field nor the page to be kept. */
async function leaveComment(page: Page): Promise<void> {
  const comment = page.getByLabel("Comment");
  const sent = page.waitForResponse((response) => response.url().endsWith("/scores"));
  await comment.fill("Even and clean.");
  await sent;
  await reload(page);
  await expect.poll(() => comment.inputValue()).toBe("Even and clean.");
  await comment.fill("Even and clean from all sides.");
  await page.goBack();
  await heading(page, "Your nominations").waitFor();
  await page.goForward();
  await expect.poll(() => comment.inputValue()).toBe("Even and clean from all sides.");
  await saved(page);
  await comment.fill("Even and clean from every side.");
  await hide(page);
  await reload(page);
  await expect.poll(() => comment.inputValue()).toBe("Even and clean from every side.");
  const points = page.locator(".criteria [data-stepper]").first();
  const given = await points.inputValue();
  await points.fill("1");
  await hide(page);
  await reload(page);
  await expect.poll(() => points.inputValue()).toBe("1");
  await points.fill(given);
  await points.press("Enter");
  await saved(page);
}

/** New terms stop what is being sent until they are accepted. */
async function acceptNewTerms(page: Page, showcase: Showcase): Promise<void> {
  const field = page.locator(".criteria [data-stepper]").first();
  const given = await field.inputValue();
  showcase.changeContent('[judging.terms]\nversion = "2025-10-01"', '[judging.terms]\nversion = "2026-01-01"');
  await expect.poll(async () => (await page.evaluate(async () => (await fetch("/api/judge/session")).json()) as { terms: { accepted: boolean } }).terms.accepted).toBe(false);
  await field.fill("1");
  await page.keyboard.press("Enter");
  await heading(page, "Before you judge").waitFor();
  await page.getByRole("checkbox").check();
  await page.getByRole("button", { name: "Start judging" }).click();
  await saved(page);
  await reload(page);
  await expect.poll(() => field.inputValue(), { message: "the points that were refused are sent" }).toBe("1");
  await field.fill(given);
  await page.keyboard.press("Enter");
  await saved(page);
}

/** A sheet is not confirmed while a field shows points that were not taken. */
async function stopAtWrongPoints(page: Page): Promise<void> {
  const field = page.locator(".criteria [data-stepper]").nth(1);
  const given = await field.inputValue();
  await field.fill("99");
  // Leaving would lose them without a word.
  for (const name of ["Confirm", "All", "Next"]) {
    await page.getByRole("button", { name, exact: true }).click();
    await expectFocus(field);
  }
  await expectAccessible(page, "points that do not exist");
  await field.fill(given);
}

const shownRank = async (page: Page) => Number((await page.locator("h1").innerText()).slice(-3)) - 100;

describe("judging", () => {
  test("from the invitation to the score sheet", { tags: ["firefox"] }, async ({ open, showcase, problems }) => {
    const admin = await openAdmin(open, showcase, "/export-data/judging", { viewport: desktop });
    showcase.addNominations(nominations, slots, await photo(admin, 600, 400), { width: 600, height: 400 });
    for (const { name, email } of judges) {
      await admin.getByLabel("Name", { exact: true }).fill(name);
      await admin.getByLabel("Email address").fill(email);
      await admin.getByRole("button", { name: "Invite", exact: true }).click();
      await admin.locator(".row-name", { hasText: name }).waitFor();
    }
    await expectAccessible(admin, "categories and judges");
    await goTo(admin, path);
    await admin.getByRole("button", { name: "Save the panel" }).click();
    await admin.getByText("Please choose the head judge").waitFor();
    await expectFocus(admin.locator(".panel-roles select").first());
    for (const { name } of judges) await admin.getByLabel(name, { exact: true }).selectOption("head");
    await admin.getByText("Please choose the head judge").waitFor({ state: "detached" });
    await admin.getByRole("button", { name: "Save the panel" }).click();
    await admin.getByText("There is one head judge in a category").waitFor();
    for (const [index, { name }] of judges.entries()) await admin.getByLabel(name, { exact: true }).selectOption(index === 0 ? "head" : "judge");
    await admin.getByRole("button", { name: "Save the panel" }).click();
    await admin.getByText("0 of 36 sheets confirmed").waitFor();
    await expectAccessible(admin, "a category that is scored");

    // A conflict that was a mistake is removed again.
    const addition = admin.getByRole("form", { name: "Add a conflict" });
    await addition.getByRole("button", { name: "Add a conflict" }).click();
    await addition.getByText("Please choose a judge").waitFor();
    await addition.getByText("Please choose a nomination").waitFor();
    await addition.getByLabel("Judge").selectOption("Kim");
    await addition.getByLabel("Nomination").selectOption("LE-100");
    await addition.getByLabel("Reason").fill("Mixed up with LE-101.");
    await addition.getByRole("button", { name: "Add a conflict" }).click();
    await admin.getByText("0 of 35 sheets confirmed").waitFor();
    await admin.getByRole("button", { name: "Remove… Kim and LE-100" }).click();
    const question = admin.getByRole("dialog", { name: "Let Kim score LE-100?" });
    await question.getByRole("button", { name: "Remove", exact: true }).click();
    await question.getByText("Please give a reason").waitFor();
    await expectAccessible(admin, "the question before a conflict is removed");
    await question.getByLabel("Reason").fill("It was LE-101.");
    await question.getByRole("button", { name: "Remove", exact: true }).click();
    await admin.getByText("0 of 36 sheets confirmed").waitFor();
    await expectFocus(admin.getByRole("heading", { level: 2, name: "Conflicts and abstentions" }));

    // The first judge scores everything by keyboard.
    const ines = await open(`/judge${await tokenOf(showcase, judges[0]!.email, "judge-link")}`, { viewport: tablet });
    await expectFocus(heading(ines, "Before you judge"));
    await expectAccessible(ines, "the judge's terms");
    await ines.getByRole("checkbox").check();
    await ines.getByRole("button", { name: "Start judging" }).click();
    await expectFocus(heading(ines, "Your nominations"));
    await expectAccessible(ines, "the judge's list");
    expect(await ines.locator("main").innerText(), "nothing tells who competes").not.toMatch(/Sample|Example|Nguy/);
    await ines.getByRole("button", { name: /^Start with LE-/ }).click();
    await ines.locator(".pane img").first().waitFor();
    await expectAccessible(ines, "a nomination");
    expect(await stickingOut(ines)).toEqual([]);
    await ines.setViewportSize(desktop);
    for (const part of [".judge-bar", ".judge-columns"]) expect((await ines.locator(part).boundingBox())?.width, part).toBe(desktop.width);
    await ines.setViewportSize(tablet);
    await ines.getByRole("button", { name: "Confirm", exact: true }).click();
    await ines.getByText(/criteria have no points yet/).waitFor();
    await ines.getByRole("button", { name: "Mirror" }).click();
    await ines.getByText(/LE-1\d\d, mirrored/).waitFor();
    await ines.getByLabel("Compare with").selectOption({ index: 1 });
    await expect.poll(() => ines.locator(".pane img").count()).toBe(2);
    await expectAccessible(ines, "two nominations side by side");
    for (let count = 0; count < nominations.length; count += 1) {
      await score(ines, 0, await shownRank(ines));
      await saved(ines);
      if (count === 0) {
        await ines.getByRole("button", { name: "All", exact: true }).click();
        await ines.getByText("0 of 12 are confirmed. 1 is complete and waits to be confirmed.").waitFor();
        await ines.getByRole("button", { name: /^Continue with LE-/ }).click();
        await leaveComment(ines);
        await acceptNewTerms(ines, showcase);
        await stopAtWrongPoints(ines);
      }
      await confirm(ines);
      if (count === 0) await expectAccessible(ines, "a confirmed nomination");
      if (count < nominations.length - 1) await ines.getByRole("button", { name: "Next nomination" }).click();
    }
    await ines.getByRole("button", { name: "All", exact: true }).click();
    await ines.getByText("All 12 are confirmed. Thank you.").waitFor();

    // The second has no connection for half of them.
    const joy = await open(`/judge${await tokenOf(showcase, judges[1]!.email, "judge-link")}`, { viewport: { width: 820, height: 1180 } });
    await joy.getByRole("checkbox").check();
    await joy.getByRole("button", { name: "Start judging" }).click();
    await joy.getByRole("button", { name: /^Start with LE-/ }).click();
    const first = await joy.locator("h1").innerText();
    await joy.locator(".pane img").first().waitFor();
    for (let count = 0; count < half; count += 1) {
      // Three at a time: this one and the two that are loaded ahead.
      if (count % 3 === 0) {
        await joy.getByText("The next 2 nominations are on this device", { exact: false }).waitFor();
        await joy.context().setOffline(true);
      }
      await score(joy, 1, await shownRank(joy));
      await joy.getByText(/^No connection: \d+ changes are kept on this device/).waitFor();
      if (count === 0) {
        await expectAccessible(joy, "a nomination without a connection");
        await joy.getByRole("button", { name: "Confirm", exact: true }).click();
        await joy.getByText("There is no connection. Your points are kept on this device").waitFor();
        await joy.getByRole("button", { name: "All", exact: true }).click();
        await joy.getByRole("button", { name: "Sign out", exact: true }).click();
        await joy.getByRole("dialog").getByText(/^\d+ changes are on this device only/).waitFor();
        await expectAccessible(joy, "the question before signing out");
        await joy.getByRole("button", { name: "Stay signed in" }).click();
        await joy.getByRole("button", { name: new RegExp(`^${first}`) }).click();
        await joy.locator(".criteria").waitFor();
      }
      if (count % 3 === 2) {
        await joy.context().setOffline(false);
        await saved(joy);
      }
      if (count < half - 1) await joy.getByRole("button", { name: "Next", exact: true }).click();
    }
    await reload(joy);
    await saved(joy);
    await joy.getByRole("button", { name: "All", exact: true }).click();
    await joy.getByText("0 of 12 are confirmed. 6 are complete and wait to be confirmed.").waitFor();
    await joy.getByRole("button", { name: new RegExp(`^${first}`) }).click();
    for (let count = 0; count < nominations.length; count += 1) {
      await joy.locator(".criteria").waitFor();
      const rank = await shownRank(joy);
      if (await joy.locator(".judge-total strong").innerText() !== String(91 - rank)) await score(joy, 1, rank);
      await confirm(joy);
      if (count < nominations.length - 1) await joy.getByRole("button", { name: "Next nomination" }).click();
    }

    // The third recognises one.
    const kimsLink = `/judge${await tokenOf(showcase, judges[2]!.email, "judge-link")}`;
    // A mail server's scanner opens the link first, in a browser of its own.
    await heading(await open(kimsLink, { viewport: phone }), "Before you judge").waitFor();
    const kim = await open(kimsLink, { viewport: phone });
    await kim.getByRole("checkbox").check();
    await kim.getByRole("button", { name: "Start judging" }).click();
    await kim.getByRole("button", { name: "Declare a conflict of interest" }).click();
    await kim.getByRole("checkbox", { name: /Ada Sample/ }).waitFor();
    await expectAccessible(kim, "the names of those who compete");
    expect(await stickingOut(kim)).toEqual([]);
    await kim.getByRole("button", { name: "All nominations" }).click();
    await kim.getByRole("button", { name: /^LE-105/ }).click();
    await kim.getByRole("button", { name: "I recognize this work…" }).click();
    await expectAccessible(kim, "stepping aside");
    await kim.getByLabel("Why").fill("I taught her.");
    await kim.getByRole("button", { name: "I recognize it" }).click();
    await kim.getByText("You do not score this nomination.").waitFor();
    for (const { code } of nominations.filter((one) => one.code !== "LE-105" && one.code !== onPaper)) {
      await kim.getByRole("button", { name: "All", exact: true }).click();
      await kim.getByRole("button", { name: new RegExp(`^${code}`) }).click();
      await heading(kim, code).waitFor();
      await score(kim, 2, await shownRank(kim));
      await confirm(kim);
    }
    expect(await stickingOut(kim)).toEqual([]);

    // Her last one is on paper: one person types it in, and another one verifies it.
    const secondAccount = { username: "ines", password: "a-long-enough-one" };
    await askAsOrganiser(showcase, "POST", "/api/admin/accounts", secondAccount);
    await reload(admin);
    await admin.getByText("34 of 35 sheets confirmed").waitFor();
    await admin.getByRole("link", { name: "Paper sheets" }).click();
    await expectFocus(heading(admin, "Paper sheets"));
    await admin.getByText("No sheet waits to be verified.").waitFor();
    await admin.getByRole("button", { name: "Save for a second person" }).click();
    await admin.getByText("Please choose a sheet").waitFor();
    await admin.getByLabel("Sheet", { exact: true }).selectOption(`3 ${onPaper}`);
    const points = admin.getByRole("group", { name: "Points" }).getByRole("textbox");
    const maxima = (await admin.getByRole("group", { name: "Points" }).locator("label").allInnerTexts()).map((label) => Number(/of (\d+)/.exec(label)?.[1]));
    for (const [criterion, max] of maxima.entries()) await points.nth(criterion).fill(String(pointsOf(max, { judge: 2, rank: 11, criterion })));
    await admin.getByText("Together 80 of 100 points.").waitFor();
    await expectAccessible(admin, "a sheet of paper that is typed in");
    await admin.getByRole("button", { name: "Save for a second person" }).click();
    await admin.getByRole("button", { name: `Compare… ${onPaper} of Kim` }).click();
    await admin.getByText("You typed this sheet in as organiser", { exact: false }).waitFor();
    expect(await admin.getByRole("button", { name: "The same as on paper" }).count(), "nobody verifies what they typed").toBe(0);
    await admin.keyboard.press("Escape");
    const second = await open(`${path}&show=paper`, { viewport: phone, storageState: await signedIn(showcase, secondAccount) });
    await second.getByRole("button", { name: `Compare… ${onPaper} of Kim` }).click();
    await second.getByText("Typed in by organiser.", { exact: false }).waitFor();
    await second.getByRole("row", { name: /^Together, before penalties 80$/ }).waitFor();
    await expectAccessible(second, "a sheet of paper that is compared");
    expect(await stickingOut(second)).toEqual([]);
    await second.getByRole("button", { name: "The same as on paper" }).click();
    await second.getByText("No sheet waits to be verified.").waitFor();

    // The organiser seals, reveals and publishes. Firefox tells a page in the background nothing of its focus.
    await admin.bringToFront();
    await goTo(admin, path);
    await admin.getByText("35 of 35 sheets confirmed").waitFor();
    await admin.getByText("Recognised the work").waitFor();
    // A request for a second look that nobody answers is taken back.
    await askAsOrganiser(showcase, "POST", "/api/judging/lash-extensions/Volume/second-looks", { judge: 1, code: "LE-100" });
    await reload(admin);
    await admin.getByText("34 of 35 sheets confirmed").waitFor();
    await expectAccessible(admin, "a second look that is asked for");
    await admin.getByRole("button", { name: "Take back the request to Ines about LE-100" }).click();
    await admin.getByText("35 of 35 sheets confirmed").waitFor();
    await expectFocus(admin.locator("h1"));
    await admin.getByRole("button", { name: "Seal…" }).click();
    await expectAccessible(admin, "the question before the seal");
    await admin.getByRole("button", { name: "Seal", exact: true }).click();
    await admin.getByRole("table", { name: "Results" }).waitFor();
    await expectAccessible(admin, "a sealed category");
    expect((await fetch(`${showcase.origin}/results`)).status, "nothing is public yet").toBe(404);
    await admin.getByRole("link", { name: "Ceremony" }).click();
    await admin.getByText("You can go offline.", { exact: false }).waitFor();
    await expectAccessible(admin, "the ceremony's start");
    await admin.context().setOffline(true);
    await admin.getByRole("button", { name: "Start the reveal" }).click();
    const stage = admin.getByRole("dialog", { name: "Ceremony" });
    for (const name of [names[2], names[1], names[0]]) {
      expect(await stage.getByText(name!, { exact: true }).count(), "not before its key").toBe(0);
      await admin.keyboard.press("Space");
      await admin.keyboard.press("Space");
      await stage.getByText(name!, { exact: true }).waitFor();
    }
    await expectAccessible(admin, "the stage");
    await admin.keyboard.press("Escape");
    await stage.waitFor({ state: "detached" });
    await admin.context().setOffline(false);
    await goTo(admin, path);
    await admin.getByRole("button", { name: "Publish…" }).click();
    await admin.getByRole("button", { name: "Publish", exact: true }).click();
    await admin.getByText("The results are public", { exact: false }).waitFor();
    await goTo(admin, "/export-data/judging?show=certificates&of=lash-extensions%2FVolume");
    await admin.getByRole("article", { name: `Certificate of Award: ${names[0]}` }).waitFor();
    await expectAccessible(admin, "certificates");
    expect(await admin.getByLabel("Certificate", { exact: true }).locator("option").allInnerTexts()).toContain(`${names[0]}, Lash Extensions - Volume (first place)`);
    expect(await admin.locator(".certificate-code").evaluateAll((all) => all.filter((code) => code.getClientRects().length !== 1)), "no code is broken across lines").toEqual([]);

    // Everybody reads the results, and a competitor the score sheet.
    await expect.poll(async () => (await fetch(`${showcase.origin}/results`)).status).toBe(200);
    const page = await open("/results", { viewport: phone });
    expect(await page.locator(".results-name").first().innerText()).toContain(names[0]);
    expect(await page.locator(".results-list li > .figures").allInnerTexts()).toEqual(expect.arrayContaining(["91.00", "90.00", "86.00"]));
    await expectAccessible(page, "the results");
    expect(await stickingOut(page)).toEqual([]);
    await fetch(`${showcase.origin}/api/artist/links`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ email: nominations[1]!.email }) });
    await goTo(page, `/artist-portal${await tokenOf(showcase, nominations[1]!.email, "artist-link")}`);
    await page.getByRole("link", { name: "Score sheet and certificate" }).click();
    await page.locator(".score-total").waitFor();
    const shown = await page.locator(".score-table tbody:first-of-type td:nth-child(2) strong").allInnerTexts();
    const sum = shown.reduce((all, points) => all + Math.round(Number(points) * 100), 0) / 100;
    expect(Math.abs(sum - 90), "the criteria add up, but for the rounding of each").toBeLessThan(0.05);
    // By hand, for the second place: three judges give 0, 1 and 2 points less, and all give one less for the first criterion.
    expect(shown.slice(0, 2), "the means of the first two criteria: (9 + 8 + 7) / 3 and (9 + 8 + 10) / 3").toEqual(["8.00", "9.00"]);
    expect(await page.locator(".score-points").innerText()).toBe("90.00");
    await page.getByText("2nd of 12").waitFor();
    await expectAccessible(page, "a score sheet");
    expect(await stickingOut(page)).toEqual([]);
    await page.getByRole("button", { name: "Certificate" }).click();
    await page.getByRole("article", { name: /Certificate of/ }).waitFor();
    await expectAccessible(page, "an own certificate");
    const address = await page.getByRole("img", { name: /^QR code: / }).getAttribute("aria-label");
    const verified = await fetch(`${showcase.origin}${new URL(address!.replace("QR code: ", "")).pathname}`);
    expect(await verified.text()).toContain(names[1]);
    forgetRefused(problems, "/api/judge/", "/api/judging", "/api/artist/", "ERR_INTERNET_DISCONNECTED");
  });

  test("the head judge sees who has confirmed", async ({ open, showcase, problems }) => {
    await askAsOrganiser(showcase, "POST", "/api/judges/1/link", {});
    const page = await open(`/judge${await tokenOf(showcase, judges[0]!.email, "judge-link")}`, { viewport: tablet });
    await page.getByText("Sealed: nothing can be changed any more. Thank you.").waitFor();
    await page.getByRole("button", { name: /^Head judge/ }).click();
    await expectFocus(heading(page, "Head judge"));
    await expectAccessible(page, "the head judge's page");
    forgetRefused(problems, "/api/judge/");
  });
});

test("the organizer decides about competitors who know a judge, and reads before the seal what is left", async ({ showcase, open }) => {
  const address = "/api/judging/lash-extensions/Volume";
  const request = (judge: number, judgeName: string) => ({ id: `1-${judge}`, judge, judgeName, code: "LE-200", name: "Ada Sample", relations: [{ kind: "trained_by", judge: judgeName, note: "in 2019" }] });
  const detail = (...requests: object[]) => ({
    category: "lash-extensions", subCategory: "Volume", label: "Lash Extensions - Volume", path: "lash-extensions/Volume", state: "scoring", rubricVersion: "1", rubricLocked: true,
    nominations: 2, notReady: 1, judges: 2, sheets: { open: 0, saved: 0, confirmed: 2, conflict: 0, abstained: 0, secondLook: 0 }, rubric: { step: 0.5, secondLookPoints: 12, criteria: [], penalties: [] },
    panel: { judges: [{ id: 1, name: "Ines" }, { id: 2, name: "Joy" }], head: 1, reserves: [] }, conflicts: [], requests, progress: [], severity: null, secondLooks: [], ties: [], blockers: [],
    entries: [{ id: 1, code: "LE-200", name: "Ada Sample", businessName: null, state: "ready", reason: null }, { id: 2, code: "LE-201", name: "Bea Example", businessName: null, state: "handed_in", reason: null }],
    sealedAt: null, sealedBy: null, publishedAt: null, results: null,
  });
  const page = await openAdmin(open, showcase, path, { replies: { [address]: detail(request(1, "Ines"), request(2, "Joy")) } });
  await page.getByText("These nominations are not ready for the judges and will not be in the results: LE-201 (handed in).").waitFor();
  const undecided = (codes: string) => page.getByText(`You have not decided about these competitors who know a judge: ${codes}. After the seal, the judge\u2019s points count.`);
  await undecided("LE-200 (Ines), LE-200 (Joy)").waitFor();
  const table = page.getByRole("table", { name: "Requests" });
  await table.getByRole("row", { name: /^LE-200.* Ines Trained by Ines: in 2019/ }).waitFor();
  await expectAccessible(page, "requests");
  for (const [judge, choice, left, message] of [["Ines", "Accept", [request(2, "Joy")], "Ines does not score LE-200."], ["Joy", "Reject", [], "Joy scores LE-200."]] as const) {
    const { asked } = await fakeReply(page, `${address}/relations/1-${judge === "Ines" ? 1 : 2}/${choice.toLowerCase()}`, 200, detail(...left));
    await table.getByRole("button", { name: `${choice}\u2026 what Ada Sample says about ${judge}` }).click();
    await page.getByRole("dialog").getByLabel(/^Reason/).fill("As agreed.");
    await page.getByRole("dialog").getByRole("button", { name: choice, exact: true }).click();
    await expectToast(page, `${choice}ed`, message);
    expect(JSON.parse(asked[0] ?? "")).toEqual({ reason: "As agreed." });
    if (judge === "Ines") await undecided("LE-200 (Joy)").waitFor();
  }
  await table.waitFor({ state: "detached" });
  await page.getByText("You have not decided").waitFor({ state: "detached" });
});
