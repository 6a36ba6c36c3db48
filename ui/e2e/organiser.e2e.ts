import type { Page } from "playwright-core";
import { describe } from "vitest";
import { expectAccessible } from "./support/axe";
import { desktop, doubleText, goTo, phone, reload, resize } from "./support/browser";
import { fakeReply, forgetRefused, openAdmin, register, speaker, toast } from "./support/admin";
import { expectFocus, press } from "./support/keyboard";
import { adminPassword } from "./support/showcase";
import { expect, test } from "./support/test";

const session = "/api/admin/session";
/** The least height of what a thumb presses, in pixels. */
const thumb = 44;

describe("the gate", () => {
  test("refuses, shows and hides, and opens by keyboard alone; a reload stays inside, signing out leads back", async ({ open, problems }) => {
    const page = await open("/export-data");
    await page.getByRole("heading", { name: "Organiser’s pages" }).waitFor();
    await expectAccessible(page, "the gate");
    const password = page.getByLabel("Admin password");
    expect(await password.getAttribute("type")).toBe("password");
    await password.fill("wrong");
    await press(page, page.getByRole("button", { name: "Show password" }));
    await expect.poll(() => password.getAttribute("type")).toBe("text");
    await press(page, page.getByRole("button", { name: "Hide password" }));
    await expect.poll(() => password.getAttribute("type")).toBe("password");
    await password.focus();
    await page.keyboard.press("Enter");
    await toast(page, "Access Denied").waitFor();
    await page.getByRole("alert").getByText("Invalid admin password. Please try again.", { exact: true }).waitFor();
    await expectFocus(password);
    expect(await password.evaluate((input) => (input.getAttribute("aria-describedby") ?? "").split(" ").map((id) => document.getElementById(id)?.textContent))).toEqual(["Error: Invalid admin password. Please try again."]);
    await expectAccessible(page, "the gate, refusing");

    await password.fill(adminPassword);
    await page.keyboard.press("Enter");
    await toast(page, "Access Granted").waitFor();
    await page.getByText("Welcome to the admin dashboard.", { exact: true }).waitFor();
    await expectFocus(page.getByRole("heading", { level: 1, name: "Overview" }));
    await page.getByText("Nobody has registered yet.", { exact: false }).waitFor();
    await expectAccessible(page, "the overview with nothing on it");

    await reload(page);
    await page.getByRole("heading", { name: "By day" }).waitFor();
    // The last that the page reads: a read that is answered after signing out would be a 401.
    await page.waitForLoadState("networkidle");
    expect(await password.count()).toBe(0);
    await press(page, page.getByRole("button", { name: "Sign out" }));
    await expectFocus(page.getByRole("heading", { level: 1, name: "Organiser’s pages" }));
    await reload(page);
    await password.waitFor();
    forgetRefused(problems, session);
  });

  test("says when there were too many attempts, and when the server does not answer", async ({ open, problems }) => {
    const page = await open("/export-data");
    await page.getByLabel("Admin password").fill("guess");
    await fakeReply(page, session, 429, { detail: "Please wait 30 seconds." }, 1);
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText("Please wait 30 seconds.").waitFor();
    await page.getByRole("button", { name: "Sign in", exact: true }).waitFor();
    await page.route(`**${session}`, (route) => route.abort(), { times: 1 });
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText("The server did not answer. Please try again.").waitFor();
    forgetRefused(problems, session);
  });

  test("says so when the server cannot be asked, and without script", async ({ open, problems }) => {
    const page = await open("/export-data", { prepare: async (fresh) => void (await fresh.route(`**${session}`, (route) => route.abort(), { times: 1 })) });
    await page.getByText("We could not check whether you are signed in.").waitFor();
    await expectAccessible(page, "the gate, unanswered");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByLabel("Admin password").waitFor();
    const plain = await open("/export-data", { javaScriptEnabled: false });
    expect(await plain.locator("noscript").innerText()).toContain("The organiser’s pages need JavaScript.");
    forgetRefused(problems, session);
  });
});

describe("the menu", () => {
  test("has four headings; registrations by kind, and settings and records, are one entry each with tabs", async ({ showcase, open }) => {
    const attention = { items: [], samples: [], portraits: [], new: { speakerApplications: 1 } };
    for (const viewport of [desktop, phone]) {
      const page = await openAdmin(open, showcase, "/export-data", { viewport, replies: { "/api/attention": attention } });
      const menu = page.getByRole("navigation", { name: "Admin" });
      const choose = async (name: string) => {
        if (viewport === phone) await page.locator(".admin-menu-button").click();
        await menu.getByRole("link", { name }).click();
      };
      if (viewport === phone) await page.locator(".admin-menu-button").click();
      await menu.getByRole("link", { name: "Registrations 1 new" }).waitFor();
      expect(await menu.getByRole("list").evaluateAll((lists) => lists.map((list) => list.getAttribute("aria-label")))).toEqual([null, "People", "Championship", "Event days", "Site and settings"]);
      await expectAccessible(page, `the menu at ${viewport.width} px`);
      if (viewport === phone) await page.locator(".admin-menu-button").click();

      await choose("Registrations");
      await page.getByRole("heading", { level: 1, name: "Competition entries" }).waitFor();
      const tabs = page.getByRole("navigation", { name: "Registrations" });
      expect((await tabs.getByRole("link").allInnerTexts()).map((text) => text.split(/\s/)[0])).toEqual(["Entries", "Speakers", "Judges", "Sponsors", "Demos", "Waitlist", "Inquiries"]);
      const speakers = tabs.getByRole("link", { name: "Speakers 1 new" });
      await press(page, speakers);
      await expectFocus(page.getByRole("heading", { level: 1, name: "Speaker applications" }));
      expect([new URL(page.url()).pathname, await speakers.getAttribute("aria-current")]).toEqual(["/export-data/speaker-applications", "page"]);
      await expectAccessible(page, `the tabs at ${viewport.width} px`);
      if (viewport === phone) expect(await page.evaluate(targets, thumb)).toEqual([]);

      await choose("Settings and records");
      const records = page.getByRole("navigation", { name: "Settings and records" });
      for (const [name, path] of Object.entries({ "Outbox": "outbox", "Audit log": "audit", "Backups": "backups", "Who has access": "access" })) {
        await records.getByRole("link", { name }).click();
        await page.getByRole("heading", { level: 1, name }).waitFor();
        expect(new URL(page.url()).pathname).toBe(`/export-data/${path}`);
      }
    }
  });

  test("leads to exports and reports on a page of their own", async ({ showcase, open }) => {
    const page = await openAdmin(open, showcase, "/export-data", { viewport: phone });
    await page.locator(".admin-menu-button").click();
    await page.getByRole("link", { name: "Exports and reports" }).click();
    await page.getByRole("button", { name: "Download CSV" }).waitFor();
    await page.getByRole("button", { name: "Send Daily Report" }).waitFor();
    await expectAccessible(page, "exports and reports");
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(phone.width);
  });
});

describe("the overview", () => {
  test("shows on one screen of a phone what needs attention, then the numbers", async ({ showcase, open }) => {
    const page = await openAdmin(open, showcase, "/export-data", { viewport: phone, replies: { "/api/attention": {
      items: [
        { room: "sponsor-applications", path: "/export-data/sponsor-applications", sentence: "3 sponsor applications are older than the 48 hours you promised." },
        { room: "professional-demo-registrations", path: "/export-data/professional-demo-registrations", sentence: "2 professional demo registrations are older than the 7 business days you promised." },
        { room: "nominations", path: "/export-data/nominations", sentence: "2 nominations are handed in: check them for the judges." },
      ], samples: ["venue.hotels[0]"], portraits: ["home.quote"],
    } } });
    const counts = page.getByRole("region", { name: "Counts" });
    await expect.poll(() => counts.locator("div", { hasText: "Total registrations" }).locator("dd").innerText()).toMatch(/\d/);
    const [attention, numbers] = await Promise.all([page.getByRole("region", { name: "Needs your attention" }).boundingBox(), counts.boundingBox()]);
    expect(attention!.y + attention!.height).toBeLessThanOrEqual(numbers!.y);
    expect(numbers!.y + numbers!.height).toBeLessThanOrEqual(phone.height);
  });

  test("counts, draws and lists what came, and says what is new since the last visit", async ({ showcase, open }) => {
    await register(showcase, "speaker-applications", speaker);
    await register(showcase, "sponsor-inquiries", { company: "Fine Trays, Inc.", email: "trays@example.com", interest: "booth" });
    const page = await openAdmin(open, showcase, "/export-data");
    const counts = page.getByRole("region", { name: "Counts" });
    await expect.poll(() => counts.locator("div", { hasText: "Total registrations" }).locator("dd").innerText()).toBe("2");
    expect(await counts.locator("div", { hasText: "Speaker applications" }).locator("dd").innerText()).toBe("1");
    const plot = page.getByRole("img", { name: /Registrations by day. 2 from / });
    // The plot names the day. Today's date may have changed since the registration.
    const [, day = ""] = /most on (.+) \(2\)/.exec((await plot.getAttribute("aria-label")) ?? "") ?? [];
    expect(await page.getByText("since your last visit").count()).toBe(0);
    await page.getByText("Read as a table").click();
    const row = page.getByRole("region", { name: /as a table/ }).getByRole("row").filter({ has: page.getByRole("rowheader", { name: day, exact: true }) });
    await expect.poll(async () => (await row.getByRole("cell").allInnerTexts()).slice(0, 2)).toEqual(["2", "1"]);
    for (const viewport of [desktop, phone]) {
      await resize(page, viewport);
      await expectAccessible(page, `the overview at ${viewport.width} px`);
    }

    await register(showcase, "sponsor-inquiries", { company: "Later Lashes", email: "later@example.com", interest: "booth" });
    await reload(page);
    await page.getByText("1 new since your last visit here").waitFor();
    await page.getByRole("button", { name: "Refresh" }).waitFor();
    await resize(page, desktop);
    await press(page, page.getByRole("link", { name: "Later Lashes" }));
    await expectFocus(page.getByRole("heading", { level: 1, name: "Later Lashes" }));
  });

  test("never lets the head of its table of categories and the rows lie over each other", async ({ showcase, open }) => {
    const entries = { category: "brows", entries: 3, paid: 2, revenue: 89_700 };
    const page = await openAdmin(open, showcase, "/export-data", { prepare: (fresh) => answerTallies(fresh, [entries]) });
    const table = page.getByRole("region", { name: "Entries by category" }).getByRole("table");
    await table.waitFor();
    const barInRow = () => table.locator("svg").first().evaluate((bar) => bar.getBoundingClientRect().top - bar.closest("tr")!.getBoundingClientRect().top);
    const place = await barInRow();
    // From the table's head at the top of the window until its row leaves it.
    for (let beyond = 0; beyond <= 70; beyond += 5) {
      await table.evaluate((element, top) => scrollBy({ top: element.getBoundingClientRect().top + top, behavior: "instant" }), beyond);
      expect(await table.evaluate(coveredParts), `${beyond} px of the table are above the window`).toEqual([]);
      expect(await barInRow(), `the bar goes with its row, ${beyond} px further`).toBeCloseTo(place, 1);
    }
  });

  test("shows the days as a table, whole on a wide window, with an edge where more is to be had on a phone", async ({ showcase, open }) => {
    const page = await openAdmin(open, showcase, "/export-data", { prepare: (fresh) => answerTallies(fresh, []) });
    await page.getByText("Read as a table").click();
    const region = page.getByRole("region", { name: /as a table/ });
    const hidden = () => region.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    const scrolled = () => region.evaluate(({ scrollLeft }) => scrollLeft);
    // Whether the table's edge looks like the bare ground beside it.
    const edgeIsBare = async () => {
      await region.scrollIntoViewIfNeeded();
      const { x = 0, y = 0, width = 0, height = 0 } = (await region.boundingBox()) ?? {};
      const [edge, ground] = await Promise.all([x + width - 5, 2].map((left) => page.screenshot({ clip: { x: left, y: y + height / 2, width: 4, height: 2 } })));
      return edge!.equals(ground!);
    };
    for (const width of [1440, 1250, 1240, 992, 820]) {
      await resize(page, { width, height: 900 });
      expect(await hidden(), `out of sight at ${width} px`).toBe(0);
    }
    await resize(page, phone);
    expect(await hidden()).toBeGreaterThan(0);
    expect(await edgeIsBare(), "the edge shows that there is more").toBe(false);
    const day = region.getByRole("rowheader").first();
    const before = await day.boundingBox();
    await region.focus();
    await page.keyboard.press("ArrowRight");
    await expect.poll(scrolled).toBeGreaterThan(0);
    expect((await day.boundingBox())?.x, "the day stays beside its figures").toBe(before?.x);
    await region.evaluate((element) => element.scrollTo({ left: element.scrollWidth, behavior: "instant" }));
    const last = await region.getByRole("columnheader").last().evaluate((cell) => {
      const { right } = cell.getBoundingClientRect();
      return right <= cell.closest(".scroller")!.getBoundingClientRect().right;
    });
    expect(last, "the last column comes into sight whole").toBe(true);
    expect(await edgeIsBare(), "there is no more").toBe(true);
  });

  test("says what could not be loaded, and tries again", async ({ showcase, open }) => {
    const page = await openAdmin(open, showcase, "/export-data", { prepare: async (fresh) => {
      await fakeReply(fresh, "/api/export/json", 503, { detail: "The database is busy." });
      await fakeReply(fresh, "/api/judge-applications", 500);
    } });
    await page.getByText("The counts could not be loaded. The database is busy.").waitFor();
    await page.getByText("The latest registrations could not be loaded.").waitFor();
    await expectAccessible(page, "an overview that cannot be read");
    await page.unrouteAll();
    const again = page.getByRole("button", { name: "Try again" });
    for (const left of [1, 0]) {
      await again.first().click();
      await expect.poll(() => again.count()).toBe(left);
    }
    await page.getByRole("heading", { name: "Latest" }).waitFor();
  });

  test("fits a window of 320 px, and one of 390 px with its text at 200 %", async ({ showcase, open }) => {
    await register(showcase, "speaker-applications", speaker);
    const page = await openAdmin(open, showcase, "/export-data", { viewport: { width: 320, height: 640 } });
    const width = () => page.evaluate(() => document.documentElement.scrollWidth);
    const shown = {
      "/export-data": page.getByRole("heading", { name: "By day" }),
      "/export-data/speaker-applications": page.getByRole("link", { name: speaker.name }).first(),
      "/export-data/speaker-applications?id=1": page.getByRole("region", { name: "Emails" }),
      "/export-data/competition-entries": page.getByText("No competition entries yet"),
    };
    for (const [path, last] of Object.entries(shown)) {
      await resize(page, { width: 320, height: 640 });
      await goTo(page, path);
      await last.waitFor();
      expect(await width(), `${path} at 320 px`).toBe(320);
      await resize(page, phone);
      await doubleText(page);
      expect(await width(), `${path} at 200 %`).toBe(390);
    }
  });
});

describe("under a thumb", () => {
  test("links and buttons are tall enough for a thumb, and none overlap", async ({ showcase, open }) => {
    await register(showcase, "speaker-applications", speaker);
    const page = await openAdmin(open, showcase, "/export-data", { viewport: phone, replies: { "/api/attention": {
      items: [
        { room: "outbox", path: "/export-data/outbox?state=failed", sentence: "Mails: 2." },
        { room: "audit", path: "/export-data/audit", sentence: "Wrong passwords in the last 24 hours: 11. If it wasn't one of you, set longer passwords for the accounts." },
        { room: "outbox", path: "/export-data/outbox", sentence: "Mails: 3." },
      ], samples: ["venue.hotels[0]"], portraits: ["home.quote"],
    } } });
    const shown = {
      "/export-data": [page.getByRole("region", { name: "Needs your attention" }), page.getByRole("region", { name: "First steps" })],
      "/export-data/speaker-applications": page.getByRole("link", { name: speaker.name }).first(),
      "/export-data/speaker-applications?id=1": page.getByRole("region", { name: "Emails" }).getByRole("link").first(),
      "/export-data/outbox": page.getByRole("link", { name: /We have your speaker application/ }).first(),
      "/export-data/outbox?id=1": page.getByRole("link", { name: "Speaker application 1" }),
      "/export-data/audit": page.getByRole("rowheader", { name: /Signed in/ }).first(),
      "/export-data/payments": page.getByText("No unmatched payments."),
    };
    for (const [path, last] of Object.entries(shown)) {
      await goTo(page, path);
      for (const part of [last].flat()) await part.waitFor();
      for (const viewport of [phone, { width: 820, height: 1180 }]) {
        await resize(page, viewport);
        expect(await page.evaluate(targets, thumb), `${path} at ${viewport.width} px`).toEqual([]);
      }
    }
  });
});

/** The days as they are, with these categories. */
async function answerTallies(page: Page, categories: object[]): Promise<void> {
  await page.route("**/api/tallies", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()) as object, categories } });
  });
}

/** Visible cells of a table whose text or bar is covered by something else. */
function coveredParts(table: HTMLElement | SVGElement): string[] {
  return [...table.querySelectorAll("th, td, td svg")].flatMap((part) => {
    const { left, top, width, height } = part.getBoundingClientRect();
    const x = left + Math.min(8, width / 2);
    return [0.25, 0.5, 0.75].flatMap((share) => {
      const y = top + height * share;
      const above = y > 0 && y < innerHeight ? document.elementFromPoint(x, y) : part;
      return above === part || part.contains(above) ? [] : [`${part.textContent || part.tagName} under ${above?.textContent || above?.tagName}`];
    });
  });
}

/** Links and buttons that are lower than this, or overlap. A link within a sentence may be as low as its line. */
function targets(least: number): string[] {
  const all = [...document.querySelectorAll(".admin-main :is(a, button, summary)")].filter((one) => !one.closest(".measure") && one.checkVisibility());
  const placed = all.map((one) => ({ name: one.textContent, box: one.getBoundingClientRect() }));
  const low = placed.filter(({ box }) => box.height < least).map(({ name, box }) => `${name}: ${box.height} px`);
  const over = placed.flatMap(({ name, box }, index) => placed.slice(index + 1)
    .filter(({ box: other }) => box.left < other.right && other.left < box.right && box.top < other.bottom - 0.5 && other.top < box.bottom - 0.5)
    .map((other) => `${name} over ${other.name}`));
  return [...low, ...over];
}
