import type { Page } from "playwright-core";
import { describe } from "vitest";
import { askAsOrganiser, forgetRefused, openAdmin, register, speaker, toast } from "./support/admin";
import { expectAccessible } from "./support/axe";
import { phone } from "./support/browser";
import { expectFocus } from "./support/keyboard";
import { stickingOut } from "./support/sticking-out";
import { expect, test } from "./support/test";

const card = (page: Page) => page.getByRole("region", { name: "Corrections" });
describe("corrections", () => {
  test("follow the form's rules, and show both versions when somebody else has changed the answer meanwhile", async ({ showcase, open, problems }) => {
    await register(showcase, "speaker-applications", speaker);
    const page = await openAdmin(open, showcase, "/export-data/speaker-applications?id=1", { viewport: phone });
    await card(page).getByRole("button", { name: "Correct answers…" }).click();
    await card(page).getByLabel("Which answer is wrong?").selectOption("Company or business name");
    const company = card(page).getByLabel("Company or business name");
    await company.fill("");
    await card(page).getByRole("button", { name: "Save correction" }).click();
    await card(page).locator(".field-error").nth(1).waitFor();
    await expectFocus(company);
    const reason = card(page).getByLabel(/^Reason/);
    await reason.fill("Misspelled");
    await expectFocus(reason);
    await expectAccessible(page, "the form for corrections");
    expect(await stickingOut(page)).toEqual([]);
    await card(page).getByRole("button", { name: "Save correction" }).click();
    await card(page).locator(".field-error").waitFor();
    await company.fill("My Studio");

    await askAsOrganiser(showcase, "PATCH", "/api/speaker-applications/1/fields", { values: { company: "Their Studio" }, reason: "By phone" });
    await card(page).getByRole("button", { name: "Save correction" }).click();
    const both = card(page).getByRole("alert");
    await both.getByText("Now stored: Their Studio").waitFor();
    await both.getByText("Yours: My Studio").waitFor();
    await expectAccessible(page, "two versions");
    await card(page).getByRole("button", { name: "Save mine" }).click();
    await toast(page, "The old answers stay in the history.").waitFor();
    await page.getByText("Company or business name: Their Studio → My Studio").waitFor();
    forgetRefused(problems, "/api/speaker-applications/1/fields");
  });
});

describe("the printed lists for the event", () => {
  test("are shown as they print, and saved", async ({ showcase, open }) => {
    const page = await openAdmin(open, showcase, "/export-data/lists");
    const frame = page.frameLocator("iframe");
    await frame.getByRole("heading", { name: "Door list" }).waitFor();
    await page.getByLabel("List").selectOption("Entries by category");
    await page.getByLabel("Day", { exact: true }).selectOption("Day 2");
    await frame.getByRole("heading", { name: "Entries by category" }).waitFor();
    await frame.getByText("Day 2, Sunday, March 29, 2026").waitFor();
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download CSV" }).click();
    expect((await saved).suggestedFilename()).toBe("lash-brow-showcase-categories-day-2.csv");
    await expectAccessible(page, "the lists");
  });
});
