import type { Page } from "playwright-core";
import { describe } from "vitest";
import { changeElsewhere, forgetRefused, openAdmin } from "./support/admin";
import { expectAccessible } from "./support/axe";
import { desktop, goTo, phone, reload } from "./support/browser";
import { expectFocus } from "./support/keyboard";
import { Showcase } from "./support/showcase";
import { stickingOut } from "./support/sticking-out";
import { expect, test as base } from "./support/test";

const test = base.extend<{ showcase: Showcase }>({
  showcase: [async ({}, use) => {
    const showcase = new Showcase();
    await showcase.start();
    await use(showcase);
    await showcase.end();
  }, { scope: "file" }],
});

const tablet = { width: 1024, height: 768 };
const path = "/export-data/judging?of=lash-extensions%2FVolume";
const names = ["Nguyễn Thị Hồng", "Ada Sample", "Bea Example", "Zoë Šimůnková", "Eva Sample", "Łucja Żak"];
const nominations = names.map((name, rank) => ({ name, email: `artist-${rank}@example.com`, code: `LE-10${rank}` }));
const judges = ["Ines", "Joy", "Kim"].map((name) => ({ name, email: `${name.toLowerCase()}@example.org` }));
const slots = ["open_front", "closed_above"];

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });
const saved = (page: Page) => page.getByRole("status").filter({ hasText: /^All saved$/ }).waitFor();

/** What a judge gives for one criterion: every judge gives each nomination 91 points less its rank. */
function pointsOf(max: number, { judge, rank, criterion }: { judge: number; rank: number; criterion: number }): number {
  return max - ((criterion + judge) % 3) - (criterion < rank ? 1 : 0);
}

async function drawnPhoto(page: Page): Promise<Buffer> {
  const encoded = await page.evaluate(() => {
    const canvas = document.createElement("canvas");
    canvas.width = 600;
    canvas.height = 400;
    const context = canvas.getContext("2d")!;
    context.fillStyle = "#c9a";
    context.fillRect(0, 0, 600, 400);
    return canvas.toDataURL("image/jpeg", 0.8).split(",")[1] ?? "";
  });
  return Buffer.from(encoded, "base64");
}

async function tokenOf(showcase: Showcase, email: string, template: "judge-link" | "artist-link"): Promise<string> {
  await expect.poll(() => showcase.artistLink(email, template)).toBeDefined();
  return new URL(showcase.artistLink(email, template)!.url).hash;
}

/** Gives every criterion its points, by keyboard. */
async function score(page: Page, judge: number, rank: number): Promise<void> {
  const fields = page.locator(".criteria [data-stepper]");
  await fields.first().waitFor();
  const count = await fields.count();
  expect(count).toBeGreaterThan(5);
  await fields.first().focus();
  for (let criterion = 0; criterion < count; criterion += 1) {
    const field = fields.nth(criterion);
    await expectFocus(field);
    const max = Number(/of (\d+)/.exec(await page.locator(".criteria .stepper-label").nth(criterion).innerText())?.[1]);
    await page.keyboard.type(String(pointsOf(max, { judge, rank, criterion })));
    await page.keyboard.press("Enter");
  }
  await expect.poll(() => page.locator(".judge-total strong").innerText()).toBe(String(91 - rank));
}

async function confirm(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Confirm", exact: true }).click();
  await page.getByText("Confirmed. Only the head judge can open it again.").waitFor();
}

const shownRank = async (page: Page) => Number((await page.locator("h1").innerText()).slice(-1));

describe("judging", () => {
  test("from the invitation to the score sheet", async ({ open, showcase, problems }) => {
    const admin = await openAdmin(open, showcase, "/export-data/judging", { viewport: desktop });
    showcase.addNominations(nominations, slots, await drawnPhoto(admin), { width: 600, height: 400 });
    for (const { name, email } of judges) {
      await admin.getByLabel("Name", { exact: true }).fill(name);
      await admin.getByLabel("Email address").fill(email);
      await admin.getByRole("button", { name: "Invite", exact: true }).click();
      await admin.locator(".row-name", { hasText: name }).waitFor();
    }
    await expectAccessible(admin, "categories and judges");
    await goTo(admin, path);
    for (const [index, { name }] of judges.entries()) await admin.getByLabel(name, { exact: true }).selectOption(index === 0 ? "head" : "judge");
    await admin.getByRole("button", { name: "Save the panel" }).click();
    await admin.getByText("0 of 18 sheets confirmed").waitFor();
    await expectAccessible(admin, "a category that is scored");

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
    await ines.getByRole("button", { name: "Confirm", exact: true }).click();
    await ines.getByText(/criteria have no points yet/).waitFor();
    await ines.getByRole("button", { name: "Mirror" }).click();
    await ines.getByText(/LE-10\d, mirrored/).waitFor();
    await ines.getByLabel("Compare with").selectOption({ index: 1 });
    await expect.poll(() => ines.locator(".pane img").count()).toBe(2);
    await expectAccessible(ines, "two nominations side by side");
    for (let count = 0; count < nominations.length; count += 1) {
      await score(ines, 0, await shownRank(ines));
      await saved(ines);
      if (count === 0) {
        await ines.getByLabel("Comment").fill("Even and clean.");
        await ines.getByLabel("Comment").blur();
        await saved(ines);
      }
      await confirm(ines);
      if (count === 0) await expectAccessible(ines, "a confirmed nomination");
      if (count < nominations.length - 1) await ines.getByRole("button", { name: "Next nomination" }).click();
    }
    await ines.getByRole("button", { name: "All", exact: true }).click();
    await ines.getByText("All 6 are confirmed. Thank you.").waitFor();

    // The second has no connection for half of them.
    const joy = await open(`/judge${await tokenOf(showcase, judges[1]!.email, "judge-link")}`, { viewport: { width: 820, height: 1180 } });
    await joy.getByRole("checkbox").check();
    await joy.getByRole("button", { name: "Start judging" }).click();
    await joy.getByRole("button", { name: /^Start with LE-/ }).click();
    const first = await joy.locator("h1").innerText();
    await joy.locator(".pane img").first().waitFor();
    await joy.getByText("The next 2 nominations are on this device", { exact: false }).waitFor();
    await joy.context().setOffline(true);
    for (let count = 0; count < 3; count += 1) {
      await score(joy, 1, await shownRank(joy));
      await joy.getByText(/^No connection: \d+ changes are kept on this device/).waitFor();
      if (count === 0) await expectAccessible(joy, "a nomination without a connection");
      if (count === 0) {
        await joy.getByRole("button", { name: "Confirm", exact: true }).click();
        await joy.getByText("There is no connection. Your points are kept on this device").waitFor();
      }
      if (count < 2) await joy.getByRole("button", { name: "Next", exact: true }).click();
      await expect.poll(() => joy.locator(".stepper").count()).toBeGreaterThan(0);
    }
    await joy.context().setOffline(false);
    await saved(joy);
    await reload(joy);
    await saved(joy);
    await joy.getByRole("button", { name: "All", exact: true }).click();
    await joy.getByText("0 of 6 are confirmed. 3 are complete and wait to be confirmed.").waitFor();
    await joy.getByRole("button", { name: new RegExp(`^${first}`) }).click();
    for (let count = 0; count < nominations.length; count += 1) {
      await joy.locator(".criteria").waitFor();
      const rank = await shownRank(joy);
      if (await joy.locator(".judge-total strong").innerText() !== String(91 - rank)) await score(joy, 1, rank);
      await confirm(joy);
      if (count < nominations.length - 1) await joy.getByRole("button", { name: "Next nomination" }).click();
    }

    // The third recognises one.
    const kim = await open(`/judge${await tokenOf(showcase, judges[2]!.email, "judge-link")}`, { viewport: phone });
    await kim.getByRole("checkbox").check();
    await kim.getByRole("button", { name: "Start judging" }).click();
    await kim.getByRole("button", { name: "Declare a conflict of interest" }).click();
    await kim.getByRole("checkbox", { name: /Ada Sample/ }).waitFor();
    await expectAccessible(kim, "the names of those who compete");
    expect(await stickingOut(kim)).toEqual([]);
    await kim.getByRole("button", { name: "All nominations" }).click();
    await kim.getByRole("button", { name: /^LE-105/ }).click();
    await kim.getByRole("button", { name: "I recognise this work…" }).click();
    await expectAccessible(kim, "stepping aside");
    await kim.getByLabel("Why").fill("I taught her.");
    await kim.getByRole("button", { name: "I recognise it" }).click();
    await kim.getByText("You do not score this nomination.").waitFor();
    for (const { code } of nominations.slice(0, 5)) {
      await kim.getByRole("button", { name: "All", exact: true }).click();
      await kim.getByRole("button", { name: new RegExp(`^${code}`) }).click();
      await heading(kim, code).waitFor();
      await score(kim, 2, await shownRank(kim));
      await confirm(kim);
    }
    expect(await stickingOut(kim)).toEqual([]);

    // The organiser seals, reveals and publishes.
    await reload(admin);
    await admin.getByText("17 of 17 sheets confirmed").waitFor();
    await admin.getByText("Recognised the work").waitFor();
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
    expect(await page.locator(".score-points").innerText()).toBe("90.00");
    await page.getByText("2nd of 6").waitFor();
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
    await changeElsewhere(showcase, "POST", "/api/judges/1/invite", {});
    const page = await open(`/judge${await tokenOf(showcase, judges[0]!.email, "judge-link")}`, { viewport: tablet });
    await page.getByText("Sealed: nothing can be changed any more. Thank you.").waitFor();
    await page.getByRole("button", { name: /^Head judge/ }).click();
    await expectFocus(heading(page, "Head judge"));
    await expectAccessible(page, "the head judge's page");
    forgetRefused(problems, "/api/judge/");
  });
});
