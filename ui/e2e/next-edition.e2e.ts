import { describe } from "vitest";
import { expectAccessible } from "./support/axe";
import { desktop, phone, reload, resize } from "./support/browser";
import { openAdmin, register, speaker } from "./support/admin";
import { expect, test } from "./support/test";

describe("after an edition", () => {
  test("texts that name its dates are marked until they are confirmed", async ({ showcase, open }) => {
    showcase.changeContent('phase = "before"', 'phase = "before"\nunconfirmed = ["event.summary", "pass.price_note", "about.mission.paragraphs[0]"]');
    const page = await openAdmin(open, showcase, "/export-data", { viewport: phone });
    await expect.poll(() => page.evaluate(async () => ((await (await fetch("/api/first-steps")).json()) as { items: { view: string | null }[] }).items[1]?.view)).toBe("unconfirmed");
    await reload(page);
    await page.getByText(/3 texts of the former edition name a date/).waitFor();
    await page.getByRole("link", { name: "Check the dates" }).click();
    await page.getByRole("heading", { level: 1, name: "To be confirmed" }).waitFor();
    for (const viewport of [desktop, phone]) {
      await resize(page, viewport);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width);
      await expectAccessible(page, `what is to be confirmed at ${viewport.width} px`);
    }
    const price = page.getByRole("button", { name: /^It is right.*Beside the price/ });
    await price.click();
    await price.waitFor({ state: "detached" });
    await page.getByRole("link", { name: "Summary" }).click();
    await page.getByRole("heading", { level: 1, name: "Facts and dates" }).waitFor();
    await page.getByText("To be confirmed").waitFor();
    await expectAccessible(page, "a text to be confirmed");
    await page.getByRole("button", { name: /^It is right.*Summary/ }).click();
    await page.getByText("To be confirmed").waitFor({ state: "detached" });
    await page.getByRole("link", { name: /^Review and publish/ }).click();
    await expect.poll(() => page.getByText("Confirmed as it is").count()).toBe(2);
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Versions" }).waitFor();
    await page.goto("/export-data/site");
    await page.getByRole("link", { name: "1 text of the former edition to be confirmed" }).waitFor();
  });

  test("its people are erased once the event’s name is typed", async ({ showcase, open }) => {
    await register(showcase, "speaker-applications", speaker);
    showcase.changeContent("erase_after_days = 0", "erase_after_days = 30");
    const page = await openAdmin(open, showcase, "/export-data", { viewport: phone });
    await expect.poll(() => page.evaluate(async () => ((await (await fetch("/api/edition/erasure")).json()) as { eraseOn: string | null }).eraseOn)).toBe("2026-04-28");
    await reload(page);
    await page.getByRole("button", { name: "Erase it…" }).click();
    const question = page.getByRole("dialog", { name: "Erase the personal data of this edition?" });
    await expectAccessible(page, "the question before erasing");
    await question.getByLabel(/^To confirm/).fill("yes");
    await question.getByRole("button", { name: "Erase everybody" }).click();
    await question.getByText(/^Error: Please enter the event’s name/).waitFor();
    expect(showcase.records("speaker-applications").length).toBe(1);
    await question.getByLabel(/^To confirm/).fill("Lash & Brow Showcase");
    await question.getByRole("button", { name: "Erase everybody" }).click();
    await page.getByRole("region", { name: /Notifications/ }).getByText("Personal Data Erased", { exact: true }).waitFor();
    expect(showcase.records("speaker-applications").length).toBe(0);
    await page.getByRole("button", { name: "Erase it…" }).waitFor({ state: "detached" });
  });
});
