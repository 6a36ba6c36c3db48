import type { Page } from "playwright-core";
import { describe } from "vitest";
import { expectAccessible } from "./support/axe";
import { desktop, goTo, phone, reload, resize } from "./support/browser";
import { fakeReply, forgetRefused, openAdmin, register, speaker } from "./support/admin";
import { expectFocus, press } from "./support/keyboard";
import type { Showcase } from "./support/showcase";
import { expect, test } from "./support/test";

const query = (page: Page) => new URL(page.url()).search;
const names = (page: Page) => page.getByRole("rowheader").getByRole("link").allInnerTexts();

let filled: Promise<void> | undefined;

/** Creates more signups than fit on one page, once for all tests of this file. */
async function fill(showcase: Showcase): Promise<void> {
  filled ??= (async () => {
    for (let number = 1; number <= 53; number += 1) {
      const two = String(number).padStart(2, "0");
      await register(showcase, "waitlist-signups", { name: `Person ${two}`, email: `person${two}@example.com`, wantToCompete: number % 2 === 0, categories: "Lash lift" });
    }
    await register(showcase, "speaker-applications", speaker);
  })();
  await filled;
}

describe("a list", () => {
  test("searches while people type, and keeps what it shows in its address", async ({ showcase, open }) => {
    await fill(showcase);
    const page = await openAdmin(open, showcase, "/export-data/waitlist-signups", { prepare: (fresh) => fresh.clock.install() });
    await page.getByText("1 to 50 of 53").waitFor();
    const requests: string[] = [];
    page.on("request", (request) => /[?&]search=[^&]/.test(request.url()) && requests.push(request.url()));
    const search = page.getByRole("searchbox", { name: /^Search names/ });
    // Typing speed follows the page's clock, not the machine's.
    await page.clock.pauseAt(new Date(Date.now() + 3_600_000));
    for (const letter of "person 07") {
      await search.press(letter);
      await page.clock.runFor(200);
    }
    await page.clock.resume();
    await page.getByText("1 found").waitFor();
    expect(await names(page)).toEqual(["Person 07"]);
    expect(query(page)).toBe("?search=person+07");
    expect(requests.length, "one request for a word, not one for a letter").toBe(1);
    await reload(page);
    await expect.poll(() => search.inputValue()).toBe("person 07");
    await search.fill("nobody at all");
    await page.getByText("Nothing found for “nobody at all”").waitFor();
    await expectAccessible(page, "a list in which nothing was found");
    await page.getByRole("link", { name: "Show all waitlist signups" }).click();
    await page.getByText("1 to 50 of 53").waitFor();
    await expectFocus(page.getByRole("heading", { level: 1 }));
    await expect.poll(async () => [query(page), await search.inputValue()]).toEqual(["", ""]);
  });

  test("sorts by its headers, turns its pages, and filters by status", async ({ showcase, open }) => {
    await fill(showcase);
    const page = await openAdmin(open, showcase, "/export-data/waitlist-signups");
    const header = (name: string) => page.getByRole("columnheader", { name });
    await expect.poll(() => header("Received").getAttribute("aria-sort")).toBe("descending");
    await press(page, header("Full name").getByRole("link"));
    await expect.poll(async () => (await names(page))[0]).toBe("Person 01");
    await expect.poll(async () => [await header("Full name").getAttribute("aria-sort"), query(page)]).toEqual(["ascending", "?sort=name"]);
    await page.keyboard.press("Enter");
    await expect.poll(async () => (await names(page))[0]).toBe("Person 53");
    await expect.poll(() => header("Full name").getAttribute("aria-sort")).toBe("descending");

    const pages = page.getByRole("navigation", { name: "Pages of this list" });
    await pages.getByRole("link", { name: "Next" }).press("Enter");
    await page.getByText("51 to 53 of 53").waitFor();
    await expectFocus(page.getByText("Page 2 of 2"));
    await page.keyboard.press("Shift+Tab");
    await expectFocus(pages.getByRole("link", { name: "Previous" }));
    expect(await names(page)).toEqual(["Person 03", "Person 02", "Person 01"]);
    await page.goBack();
    await page.getByText("1 to 50 of 53").waitFor();

    await page.getByLabel("Status").selectOption("Withdrawn");
    await page.getByText("Nothing found with the status Withdrawn").waitFor();
    expect(query(page)).toContain("status=withdrawn");
    await goTo(page, "/export-data/waitlist-signups?page=9");
    await page.getByText("There is no page 9").waitFor();
    await page.getByRole("link", { name: "Go to the first page" }).click();
    await page.getByText("1 to 50 of 53").waitFor();
  });

  test("is saved as a file of this kind, status and search", async ({ showcase, open }) => {
    await fill(showcase);
    const page = await openAdmin(open, showcase, "/export-data/speaker-applications?status=new&search=Ada+S");
    const asked = page.waitForRequest("**/api/export/csv*");
    const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download as CSV" }).click()]);
    expect(new URL((await asked).url()).search).toBe("?kind=speaker-applications&status=new&search=Ada+S");
    expect(file.suggestedFilename()).toMatch(/speaker-applications-.*\.csv$/);
  });

  test("says why it is empty, why it cannot be read, and looks right wide and narrow", async ({ showcase, open }) => {
    await fill(showcase);
    const page = await openAdmin(open, showcase, "/export-data/competition-entries");
    await page.getByText("No competition entries yet").waitFor();
    expect(await page.getByRole("link", { name: "Open the form" }).getAttribute("href")).toBe("/enter-competition");
    await expectAccessible(page, "an empty list");
    for (const viewport of [desktop, phone]) {
      await resize(page, viewport);
      await goTo(page, "/export-data/waitlist-signups");
      await page.getByText("1 to 50 of 53").waitFor();
      await expectAccessible(page, `a list at ${viewport.width} px`);
    }
    await page.getByRole("button", { name: "Registrations" }).click();
    await expectAccessible(page, "the menu on a phone");
    await page.getByRole("link", { name: "Overview" }).click();
    await expectFocus(page.getByRole("heading", { level: 1, name: "Overview" }));
    await page.getByRole("link", { name: "Nominations", exact: true }).waitFor({ state: "hidden" });

    await fakeReply(page, "/api/judge-applications", 503, { detail: "The database is busy." });
    await goTo(page, "/export-data/judge-applications");
    await page.getByText("This list could not be loaded. The database is busy.").waitFor();
    await expectAccessible(page, "a list that cannot be read");
    await page.unrouteAll();
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText("No judge applications yet").waitFor();
    await expectFocus(page.getByRole("heading", { level: 1 }));
  });
});

describe("a registration", () => {
  test("shows all its fields by their labels, and leads back to its row", async ({ showcase, open }) => {
    await fill(showcase);
    const page = await openAdmin(open, showcase, "/export-data/speaker-applications?sort=name");
    await press(page, page.getByRole("link", { name: "Ada Sample" }));
    await expectFocus(page.getByRole("heading", { level: 1, name: "Ada Sample" }));
    await expect.poll(() => page.title()).toMatch(/^Ada Sample - /);
    expect(query(page)).toBe("?sort=name&id=1");
    const value = (label: string) => page.locator("dl > div", { has: page.getByText(label, { exact: true }) }).locator("dd");
    expect(await value("Area of expertise").innerText()).toBe("Lash extensions");
    expect(await value("Speaking experience").innerText()).toBe("This would be my first time");
    expect(await value("Topic proposal").innerText()).toBe(speaker.topicProposal);
    await page.getByText(/^Not answered: .*Instagram/).waitFor();
    expect(await value("Email").getByRole("link").getAttribute("href")).toBe("mailto:ada@example.com");
    expect(await value("Phone").getByRole("link").getAttribute("href")).toBe("tel:+12015550110");
    for (const viewport of [desktop, phone]) {
      await resize(page, viewport);
      await expectAccessible(page, `a registration at ${viewport.width} px`);
    }
    await page.goBack();
    await expectFocus(page.getByRole("link", { name: "Ada Sample" }));
    expect(query(page)).toBe("?sort=name");
    await expect.poll(() => page.title()).toMatch(/^Speaker applications - /);
  });

  test("that is not there says so", async ({ showcase, open, problems }) => {
    const page = await openAdmin(open, showcase, "/export-data/judge-applications?id=4711");
    await page.getByText("There is no judge application with the number 4711.").waitFor();
    await expectAccessible(page, "a registration that is not there");
    forgetRefused(problems, "/api/judge-applications/4711");
  });
});

describe("the search over all kinds", () => {
  test("is reached with a key, and leads to a record by its phone number", async ({ showcase, open }) => {
    await fill(showcase);
    const page = await openAdmin(open, showcase, "/export-data");
    const find = page.getByRole("searchbox", { name: /^Find a person/ });
    await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
    // The page listens for the key a moment after it is drawn.
    const isFocused = () => find.evaluate((box) => box === document.activeElement);
    await expect.poll(async () => {
      if (!(await isFocused())) await page.keyboard.press("/");
      return isFocused();
    }).toBe(true);
    await page.keyboard.type("(201) 555-0110");
    await page.getByText("1 found").waitFor();
    await expectAccessible(page, "the results of a search over all kinds");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Ada Sample", level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/export-data/speaker-applications");
    expect(await page.getByText("1 found").count(), "the results are closed").toBe(0);
    await find.fill("nobody at all");
    await page.getByText("Nobody found for \"nobody at all\".").waitFor();
    await find.press("Escape");
    await expect.poll(() => page.getByText("Nobody found").count()).toBe(0);
    await expectFocus(find);
  });

  test("shows its results within a phone", async ({ showcase, open }) => {
    await fill(showcase);
    const page = await openAdmin(open, showcase, "/export-data/waitlist-signups", { viewport: phone });
    await page.getByRole("searchbox", { name: /^Find a person/ }).fill("person 03");
    await page.getByText("1 found").waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(phone.width);
    await page.getByRole("search", { name: "All registrations" }).getByRole("link", { name: /Person 03/ }).click();
    await page.getByRole("heading", { name: "Person 03", level: 1 }).waitFor();
  });
});
