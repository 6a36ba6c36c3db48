import type { Page } from "playwright-core";
import { describe, vi } from "vitest";
import { forgetRefused, openAdmin, register, speaker } from "./support/admin";
import { goTo, phone, timeout } from "./support/browser";
import { askForLink, enter, entry } from "./support/competitor";
import { entriesOf, readyEntry } from "./support/entry";
import { publicPages } from "./support/pages";
import { photo } from "./support/photo";
import { beforeTheEvent, expect } from "./support/test";
import { expectTranslated, translate } from "./support/translation";

const test = beforeTheEvent();
const testOfDemo = beforeTheEvent({ flags: ["--demo"] });

const ways = [["replaced", { prepare: (page: Page) => translate(page) }], ["wrapped", { prepare: (page: Page) => translate(page, { wraps: true }) }]] as const;

describe.for(ways)("a page whose texts are %s by a translation", ([, translated]) => {
  test.for(publicPages)("%s stays whole", async (path, { open }) => {
    const page = await open(path, translated);
    await page.evaluate(() => document.querySelectorAll("[data-island]").forEach((island) => island.scrollIntoView({ behavior: "instant" })));
    for (const island of await page.locator("[data-island]").all()) {
      await island.scrollIntoViewIfNeeded();
      await expect.poll(() => island.getAttribute("data-live")).toBe("");
    }
    await expectTranslated(page, path);
    for (const button of await page.locator("[data-island] button[aria-expanded]:visible").all()) await button.click();
    await expectTranslated(page, `${path} with everything unfolded`);
  });

  test("keeps the menu, the carousel and a form with its errors", async ({ open, showcase }) => {
    const page = await open("/", { viewport: phone, reducedMotion: "no-preference", ...translated });
    await page.getByRole("button", { name: "menu" }).click();
    await expectTranslated(page, "the open menu");
    await page.keyboard.press("Escape");
    const area = page.locator("[aria-roledescription=carousel]").filter({ has: page.getByRole("heading", { name: "Competition Categories" }) }).last();
    await area.scrollIntoViewIfNeeded();
    await area.getByRole("button", { name: "Pause" }).click();
    await area.getByRole("button", { name: "Play" }).waitFor();
    await area.getByRole("button", { name: "Show Makeup Artistry" }).click();
    await expect.poll(() => area.locator("[aria-current=true]").getAttribute("aria-label")).toBe("Show Makeup Artistry");
    const form = page.locator("#waitlist form");
    await form.scrollIntoViewIfNeeded();
    await expect.poll(() => page.locator("#waitlist [data-island]").getAttribute("data-live")).toBe("");
    await form.getByRole("button", { name: /waitlist/i }).click();
    const error = form.locator(".field-error").first();
    await error.waitFor();
    await expectTranslated(page, "a form with errors");
    const email = `waitlist-${Date.now()}@example.com`;
    await form.getByRole("textbox", { name: "name" }).first().fill("Ada Sample");
    await form.getByRole("textbox", { name: "Email" }).fill(email);
    await error.waitFor({ state: "detached" });
    await expectTranslated(page, "a form whose errors are gone");
    await form.getByRole("button", { name: /waitlist/i }).click();
    await expect.poll(() => showcase.records("waitlist-signups").map((record) => record.email)).toContain(email);
    await expectTranslated(page, "a form that was sent");
    await page.getByRole("button", { name: "menu" }).click();
    await page.locator("a[href='/about']:visible").first().click();
    await page.waitForURL("**/about");
    await expectTranslated(page, "the next page");
  });

  testOfDemo("keeps the entry form, its dependent lists, its total, its dialogs and the payment", async ({ open, showcase }) => {
    const page = await open("/enter-competition", translated);
    const form = await readyEntry(page);
    const select = (name: string) => form.getByRole("combobox", { name }).first();
    await select("Primary category").selectOption("brows");
    await expectTranslated(page, "the brows");
    expect(await select("Subcategory").locator("option").evaluateAll((all) => all.map((option) => (option as HTMLOptionElement).value))).toContain("Lamination");
    await select("Primary category").selectOption("makeup");
    await expectTranslated(page, "the makeup");
    expect(await select("Subcategory").locator("option").evaluateAll((all) => all.map((option) => (option as HTMLOptionElement).value))).not.toContain("Lamination");
    await select("Primary category").selectOption("brows");
    await select("Subcategory").selectOption("Lamination");
    const email = form.getByRole("textbox", { name: "Email" });
    await email.fill("nobody");
    await email.blur();
    const error = form.locator(".field-error");
    await error.waitFor();
    await expectTranslated(page, "a wrong address");
    const address = `entry-${Date.now()}@gmial.com`;
    await email.fill(address);
    await email.blur();
    await error.waitFor({ state: "detached" });
    await form.getByRole("button", { name: "Did you mean" }).click();
    for (const [name, says] of [["Full name", "Ana Núñez"], ["Phone", "+1 (201) 555-0123"], ["Business name", "Studio Uno"], ["Location", "Jersey City, NJ"]] as const) await form.getByRole("textbox", { name }).fill(says);
    await expectTranslated(page, "most answers");
    await form.getByRole("button", { name: /terms/i }).first().click();
    await page.getByRole("dialog").waitFor();
    await expectTranslated(page, "the terms");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    for (const box of await form.getByRole("checkbox").all()) await box.check();
    const button = form.locator("button[type=submit]");
    await button.getByText("Continue to Payment").waitFor();
    const total = page.locator(".fee-panel");
    await total.getByText("$477.06").waitFor();
    const counts = form.getByRole("group", { name: "Additional categories" }).getByRole("radio");
    await counts.nth(1).check();
    await expect.poll(() => total.innerText()).not.toContain("$477.06");
    await expectTranslated(page, "an additional category");
    await counts.nth(0).check();
    await total.getByText("$477.06").waitFor();
    await expectTranslated(page, "without the additional category");
    await button.click();
    await page.getByRole("heading", { level: 1, name: "Complete Your Registration" }).waitFor();
    await expectTranslated(page, "the payment");
    await page.getByRole("button", { name: "Back to the form" }).click();
    await button.click();
    await page.getByRole("button", { name: "Pay $477.06" }).click();
    await page.getByRole("heading", { level: 1, name: "Registration Complete!" }).waitFor();
    await expectTranslated(page, "the end");
    expect(await entriesOf(showcase, address.replace("gmial", "gmail"))).toMatchObject([{ paymentStatus: "paid", subCategory: "Lamination" }]);
  });

  test("keeps the competitor's uploads and the model's release", async ({ open, showcase, problems }) => {
    const address = `competitor-${Date.now()}@example.com`;
    await enter(showcase, address);
    const page = await open("/artist-portal", translated);
    const { link: own } = await askForLink(page, showcase, address);
    await expectTranslated(page, "the code");
    await goTo(page, own);
    await page.getByRole("button", { name: "Photos and release" }).click();
    await page.getByRole("button", { name: "Hand in" }).click();
    await page.getByRole("link", { name: "is missing" }).first().waitFor();
    await expectTranslated(page, "what is missing");
    const slot = page.locator("article.photo-slot").first();
    await slot.locator("input[type=file]").setInputFiles({ name: "a.jpg", mimeType: "image/jpeg", buffer: await photo(page) });
    await slot.getByText("Uploaded").waitFor({ timeout: 4 * timeout });
    await expectTranslated(page, "an uploaded photo");
    await slot.getByRole("button", { name: "see it as the judge does" }).click();
    // Loaded, since it is removed below.
    await page.getByRole("dialog").locator("img").evaluate((image: HTMLImageElement) => image.decode());
    await expectTranslated(page, "the photo as the judge sees it");
    await page.keyboard.press("Escape");
    await slot.getByRole("button", { name: "Remove" }).click();
    await slot.getByText("Still missing").waitFor();
    await expectTranslated(page, "a removed photo");

    const link = await page.locator(".release-link a").getAttribute("href");
    const model = await open(link!.replace(showcase.origin, ""), translated);
    await model.getByRole("button", { name: "Sign the release" }).click();
    await expectTranslated(model, "a release without answers");
    await model.getByLabel("I am under 18").check();
    await model.getByLabel("Name of your parent").fill("Gus Guardian");
    await model.getByLabel("I am 18 or older").check();
    await model.getByLabel("Your name").fill("Mia Model");
    await model.getByLabel("Signature").fill("Mia Model");
    await model.getByLabel("I have read the text above").check();
    await model.getByRole("button", { name: "Sign the release" }).click();
    await model.getByRole("heading", { name: "Thank you" }).waitFor();
    await expectTranslated(model, "a signed release");
    forgetRefused(problems, "/hand-in", "/api/releases/");
  });

  test("keeps the judge's page and the organiser's", async ({ open, showcase, problems }) => {
    await register(showcase, "speaker-applications", speaker);
    const visitor = await open("/export-data", translated);
    await visitor.getByLabel("Password").fill("wrong");
    await visitor.locator("button[type=submit]").click();
    await expectTranslated(visitor, "a refused password");

    const admin = await openAdmin(open, showcase, "/export-data/speaker-applications", translated);
    await admin.getByRole("rowheader").first().waitFor();
    await admin.getByRole("searchbox", { name: "Search names" }).fill("nobody at all");
    await admin.getByText("Nothing found").waitFor();
    await expectTranslated(admin, "a list without a row");
    await admin.getByRole("searchbox", { name: "Search names" }).fill("");
    await admin.getByRole("rowheader").first().waitFor();
    await expectTranslated(admin, "a list");

    const judge = `judge-${Date.now()}@example.org`;
    await goTo(admin, "/export-data/judging");
    showcase.addNominations([{ name: "Ada", email: entry.email, code: `LE-${Date.now()}` }], ["open_front"], await photo(admin), { width: 1600, height: 1200 });
    await admin.getByLabel(/^\W*Name\W*$/).fill("Ines");
    await admin.getByLabel("Email address").fill(judge);
    await admin.getByRole("button", { name: /^\W*Invite\W*$/ }).click();
    await admin.locator(".row-name", { hasText: "Ines" }).first().waitFor();
    await expectTranslated(admin, "an invited judge");
    await goTo(admin, "/export-data/judging?of=lash-extensions%2FVolume");
    const roles = admin.locator(".panel-roles select");
    await roles.first().waitFor();
    for (const role of await roles.all()) await role.selectOption("judge");
    await roles.last().selectOption("head");
    await admin.getByRole("button", { name: "Save the panel" }).click();
    await admin.getByText("sheets confirmed").waitFor();
    await expectTranslated(admin, "a panel");

    const { url } = await vi.waitUntil(() => showcase.makeSignInLink(judge, "judge-link"), { timeout });
    const page = await open(`/judge${new URL(url).hash}`, translated);
    await page.getByRole("checkbox").check();
    await page.getByRole("button", { name: "Start judging" }).click();
    await page.getByRole("button", { name: "Start with LE-" }).click();
    await page.getByRole("button", { name: "Confirm" }).click();
    await page.getByText("criteria have no points yet").waitFor();
    await expectTranslated(page, "points that are missing");
    for (const points of await page.locator(".criteria [data-stepper]").all()) {
      await points.fill("5");
      await points.press("Enter");
    }
    await expect.poll(() => page.locator(".judge-total strong").innerText()).toContain("45");
    await page.getByRole("status").filter({ hasText: "All saved" }).waitFor();
    await expectTranslated(page, "all points");
    await page.getByRole("button", { name: "Mirror" }).click();
    await page.getByText("mirrored").waitFor();
    await page.getByRole("button", { name: "Confirm" }).click();
    await page.getByText("Only the head judge or the organizer can open it again").waitFor();
    await expectTranslated(page, "a confirmed sheet");
    forgetRefused(problems, "/api/admin/session");
  });
});
