import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Page } from "playwright-core";
import { describe } from "vitest";
import { expectAccessible } from "./support/axe";
import { launch, phone, reload, visit } from "./support/browser";
import { askAsOrganiser } from "./support/admin";
import { addGuest, cameraFile, doorPath, showToCamera, withCamera } from "./support/door";
import type { Showcase } from "./support/showcase";
import { expect, test } from "./support/test";

const answer = (page: Page) => page.getByRole("region", { name: "Answer" });

/** Settles when the phone has stored the list. */
const isListStored = (page: Page) => page.waitForFunction(() => new Promise((settle) => {
  const opened = indexedDB.open("keyval-store");
  opened.onsuccess = () => {
    const read = opened.result.transaction("keyval").objectStore("keyval").get("door-list");
    read.onsuccess = () => settle(read.result !== undefined);
    opened.result.close();
  };
}));

describe("the door", () => {
  test("lets the first guest in by the camera of a phone that has just scanned the organizer's code", async ({ showcase, problems }) => {
    const { code } = await addGuest(showcase, "Zoë Ångström-Okafor", { note: "No photos", business: "Lash Atelier" });
    const folder = mkdtempSync(path.join(tmpdir(), "camera-"));
    const file = path.join(folder, "ticket.y4m");
    writeFileSync(file, cameraFile(`https://showcase.example.com/t/${code}`));
    const browser = await launch({ more: ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream", `--use-file-for-fake-video-capture=${file}`] });
    try {
      const { page, close } = await visit(browser, showcase.origin, { viewport: phone }, problems);
      const scripts: Promise<number>[] = [];
      page.on("requestfinished", (request) => request.resourceType() === "script" && scripts.push(request.sizes().then(({ responseBodySize }) => responseBodySize)));
      await page.goto(await doorPath(showcase, "Front door"));
      await page.getByRole("button", { name: "Start the camera" }).waitFor();
      const bytes = (await Promise.all(scripts)).reduce((sum, size) => sum + size, 0);
      if (process.env.SHOWCASE_BUDGETS) console.log("/door", { script: bytes });
      expect(bytes).toBeLessThanOrEqual(120_000);
      expect(bytes).toBeGreaterThan(50_000);
      expect(new URL(page.url()).hash).toBe("");
      await expectAccessible(page, "the door");
      await page.getByLabel("Letting in to").selectOption("Day 1");
      await page.getByRole("button", { name: "Start the camera" }).click();
      await expect.poll(() => answer(page).textContent()).toContain("WelcomeZoë Ångström-OkaforGuest · Lash AtelierNo photos");
      await expectAccessible(page, "welcome");
      // It goes by itself.
      await answer(page).waitFor({ state: "detached" });
      await expect.poll(() => page.getByText("1 in of 1").isVisible()).toBe(true);
      const figures = () => askAsOrganiser<{ lists: { key: string; in: number }[] }>(showcase, "GET", "/api/tickets/figures");
      await expect.poll(async () => (await figures()).lists[0]).toMatchObject({ key: "day-1", in: 1 });
      await close();
    } finally {
      await browser.close();
      rmSync(folder, { recursive: true });
    }
    expect(problems).toEqual([]);
  });

  test("answers typed codes and names, and takes back, and lets in anyway", { tags: ["firefox"] }, async ({ showcase, open }) => {
    const valid = await addGuest(showcase, "Maria Delgado-Ruiz");
    const gone = await addGuest(showcase, "Ines Void");
    await askAsOrganiser(showcase, "POST", `/api/tickets/${gone.id}/void`, { reason: "Refunded" });
    const page = await open(await doorPath(showcase, "Side door"), { viewport: phone });
    const type = async (text: string) => {
      await page.getByRole("searchbox", { name: "Name or code" }).fill(text);
      await page.keyboard.press("Enter");
    };
    await page.getByText(/^\d+ in of \d+$/).waitFor();

    // A USB scanner types wherever the focus is.
    await page.getByRole("heading", { name: "Door" }).click();
    await page.keyboard.type(`${valid.code.slice(0, 5).toLowerCase()} ${valid.code.slice(5)}`);
    await page.keyboard.press("Enter");
    await expect.poll(() => answer(page).textContent()).toContain("WelcomeMaria Delgado-Ruiz");
    // A welcome goes by itself, with its buttons.
    await answer(page).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Undo Maria Delgado-Ruiz" }).first().click();
    await type("delgado");
    await page.getByRole("button", { name: "Let in Maria Delgado-Ruiz" }).click();
    await expect.poll(() => answer(page).textContent()).toContain("WelcomeMaria");
    await answer(page).waitFor({ state: "detached" });
    await type(valid.code);
    await expect.poll(() => answer(page).textContent()).toMatch(/Already inMaria Delgado-Ruiz.*Came in at \d+:\d\d [AP]M/);
    await expectAccessible(page, "already in");

    await type(gone.code);
    await expect.poll(() => answer(page).textContent()).toContain("Ticket is voidInes Void");
    await expectAccessible(page, "void");
    await page.getByRole("button", { name: "Let in anyway" }).click();
    await page.getByLabel("Why?").fill("The organizer says so");
    await expectAccessible(page, "let in anyway");
    await page.getByRole("button", { name: "Let in", exact: true }).click();
    await expect.poll(() => answer(page).textContent()).toContain("Against the list: The organizer says so.");
    await page.getByRole("button", { name: "Next" }).click();

    await type("7kx3m 9qw0t");
    await expect.poll(() => answer(page).textContent()).toContain("Not on this list yet");
    await page.getByRole("button", { name: "Let in with a name" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Walk In");
    await page.getByRole("button", { name: "Let in", exact: true }).click();
    await expect.poll(() => answer(page).textContent()).toContain("WelcomeWalk In");
    await expect.poll(async () => (await askAsOrganiser<{ items: { name: string }[] }>(showcase, "GET", "/api/tickets?search=Walk")).items.map(({ name }) => name)).toEqual(["Walk In"]);
  });

  test("works without a network from its first minute, and loses no scan", { tags: ["firefox"] }, async ({ showcase, open, problems }) => {
    const guests = await Promise.all(["Ana Offline", "Bea Offline", "Cho Offline"].map((name) => addGuest(showcase, name)));
    const page = await open(await doorPath(showcase, "Offline door"), { viewport: phone });
    await page.getByText("up to date").waitFor();
    await page.waitForFunction(async () => (await (await caches.open("door")).match("/door")) !== undefined && navigator.serviceWorker.controller !== null);
    await isListStored(page);
    await showcase.stop();
    await reload(page);
    for (const { code } of guests) {
      await page.getByRole("searchbox", { name: "Name or code" }).fill(code);
      await page.keyboard.press("Enter");
      await expect.poll(() => answer(page).textContent()).toContain("Welcome");
      await answer(page).waitFor({ state: "detached" });
    }
    await page.getByText("3 scans wait").waitFor();
    await expect.poll(() => page.getByText("No network").isVisible()).toBe(true);
    // The phone restarts.
    await reload(page);
    await page.getByText("3 scans wait").waitFor();
    await page.getByRole("searchbox", { name: "Name or code" }).fill(guests[0]!.code);
    await page.keyboard.press("Enter");
    await expect.poll(() => answer(page).textContent()).toContain("Already inAna Offline");
    await page.getByRole("button", { name: "Next" }).click();
    await showcase.start();
    await expect.poll(() => page.getByText("scans wait").count(), { timeout: 90_000 }).toBe(0);
    const figures = await askAsOrganiser<{ twice: { ticketId: number; scans: number }[] }>(showcase, "GET", "/api/tickets/figures");
    expect(figures.twice.filter(({ ticketId }) => guests.some(({ id }) => id === ticketId))).toMatchObject([{ ticketId: guests[0]!.id, scans: 2 }]);
    // The browser's own messages about the server that was away.
    problems.splice(0, problems.length, ...problems.filter((problem) => !/ERR_CONNECTION_REFUSED|Failed to load resource/.test(problem)));
  });

  test("stops when the organizer ends it, and shows no names any more", async ({ showcase, open, problems }) => {
    const { code } = await addGuest(showcase, "Private Person");
    const page = await open(await doorPath(showcase, "Ended door"), { viewport: phone });
    await page.getByText("up to date").waitFor();
    await page.route("**/undo", (route) => route.abort());
    await page.getByRole("searchbox", { name: "Name or code" }).fill(code);
    const sent = page.waitForResponse((response) => response.url().endsWith("/api/door/scans"));
    await page.keyboard.press("Enter");
    await sent;
    await page.getByRole("button", { name: "Undo Private Person" }).first().click();
    await page.getByText("1 scan waits").waitFor();
    const { items } = await askAsOrganiser<{ items: { id: number; name: string }[] }>(showcase, "GET", "/api/door/devices");
    await askAsOrganiser(showcase, "DELETE", `/api/door/devices/${items.find(({ name }) => name === "Ended door")!.id}`);
    await page.unroute("**/undo");
    await page.getByText("The organizer has ended this device").waitFor();
    await page.reload();
    await page.getByText("This phone is not a door device yet").waitFor();
    await page.getByText("1 scan that was undone here still counts.").waitFor();
    expect(await page.content()).not.toContain("Private Person");
    await expectAccessible(page, "closed");
    problems.splice(0, problems.length, ...problems.filter((problem) => !/401|ERR_FAILED/.test(problem)));
  });

  test("four phones, two of them without a network, let 500 people in, and the books balance", async ({ showcase, open, problems }) => {
    const people = 500;
    const before = await dayOne(showcase);
    const tickets: { id: number; code: string }[] = [];
    for (let number = 0; number < people + 10; number += 1) tickets.push(await addGuest(showcase, `Guest ${number}`));
    const [valid, gone] = [tickets.slice(0, people), tickets.slice(people)];
    for (const { id } of gone) await askAsOrganiser(showcase, "POST", `/api/tickets/${id}/void`, { reason: "Withdrawn" });
    const doors = await Promise.all([0, 1, 2, 3].map(async (number) => {
      const page = await open(await doorPath(showcase, `Door ${number}`), { viewport: phone, prepare: withCamera });
      await page.getByText("up to date").waitFor();
      await page.getByLabel("Letting in to").selectOption("Day 1");
      await page.getByRole("button", { name: "Start the camera" }).click();
      await page.getByRole("button", { name: "Start the camera" }).waitFor({ state: "detached" });
      return page;
    }));
    for (const page of doors.slice(2)) await page.context().route("**/api/**", (route) => route.abort());
    const expectAnswer = async (page: Page, code: string, text: RegExp) => {
      await showToCamera(page, `https://showcase.example.com/t/${code}`);
      await expect.poll(() => answer(page).textContent({ timeout: 30_000 }), { interval: 20 }).toMatch(text);
    };
    await Promise.all(doors.map(async (page, number) => {
      for (const [index, { code }] of valid.entries()) if (index % 4 === number) await expectAnswer(page, code, new RegExp(`^WelcomeGuest ${index}Guest`));
      for (const [index, { code }] of gone.entries()) if (index % 4 === number) await expectAnswer(page, code, new RegExp(`^Ticket is voidGuest ${people + index}Guest`));
    }));
    // Twenty come twice, each at the phone beside their own: the two without a network cannot know.
    await Promise.all(doors.map(async (page, number) => {
      for (const [index, { code }] of valid.slice(0, 20).entries()) if ((index + 1) % 4 === number) await expectAnswer(page, code, new RegExp(`^(Welcome|Already in)Guest ${index}Guest`));
    }));
    for (const page of doors.slice(2)) await page.context().unroute("**/api/**");
    for (const page of doors) await expect.poll(() => page.getByText(/scans? waits?/).count(), { timeout: 120_000 }).toBe(0);
    const figures = await dayOne(showcase);
    expect(figures.in - before.in).toBe(people);
    expect(figures.expected - before.expected).toBe(people);
    const numbers = new Set(tickets.map(({ id }) => id));
    expect(figures.twice.filter(({ ticketId }) => numbers.has(ticketId)).map(({ scans }) => scans)).toEqual(Array.from({ length: 20 }, () => 2));
    problems.splice(0, problems.length, ...problems.filter((problem) => !problem.includes("net::ERR_FAILED")));
  });
});

async function dayOne(showcase: Showcase) {
  const { lists, twice } = await askAsOrganiser<{ lists: { in: number; expected: number }[]; twice: { ticketId: number; scans: number }[] }>(showcase, "GET", "/api/tickets/figures");
  return { ...lists[0]!, twice };
}

describe("what the server says afterwards", () => {
  test("a correction is shown although the welcome is gone, and closes no form", async ({ showcase, open }) => {
    const { id, code } = await addGuest(showcase, "Vera Voided");
    const page = await open(await doorPath(showcase, "Slow network"), { viewport: phone });
    await page.getByText("up to date").waitFor();
    // It knows nothing newer.
    await page.route("**/api/door/list", (route) => route.fulfill({ status: 304 }));
    await page.route("**/api/door/scans", async (route) => {
      await new Promise((settle) => setTimeout(settle, 6_000));
      await route.continue();
    });
    await askAsOrganiser(showcase, "POST", `/api/tickets/${id}/void`, { reason: "Refunded" });
    const type = async (text: string) => {
      await page.getByRole("searchbox", { name: "Name or code" }).fill(text);
      await page.keyboard.press("Enter");
    };
    await type(code);
    await expect.poll(() => answer(page).textContent()).toContain("WelcomeVera Voided");
    await answer(page).waitFor({ state: "detached" });
    await expect.poll(() => answer(page).textContent({ timeout: 30_000 })).toContain("Ticket is voidVera Voided");
    await page.getByRole("button", { name: "Next" }).click();

    const newer = await addGuest(showcase, "Nina Newer");
    await type(newer.code);
    await page.getByRole("button", { name: "Let in with a name" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Nina");
    // The server welcomes her meanwhile, and a welcome goes after four seconds.
    await expect.poll(() => answer(page).textContent(), { timeout: 30_000 }).toContain("Welcome");
    await page.waitForTimeout(5_000);
    expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("Nina");
  });

  test("a phone that was ended long ago says how its scans can still be sent", async ({ showcase, open, problems }) => {
    const { code } = await addGuest(showcase, "Lara Late");
    const page = await open(await doorPath(showcase, "Long ago"), { viewport: phone });
    await page.getByText("up to date").waitFor();
    await page.route("**/api/door/*", (route) => route.fulfill({ status: 401, contentType: "application/json", body: "{}" }));
    await page.getByRole("searchbox", { name: "Name or code" }).fill(code);
    await page.keyboard.press("Enter");
    await page.getByText("1 scan waits. Scan a new code to send them.").waitFor();
    problems.splice(0, problems.length, ...problems.filter((problem) => !problem.includes("401")));
  });
});

describe("a phone that lacks something", () => {
  test("without a worker it says that the page needs a network", async ({ showcase, open }) => {
    const page = await open(await doorPath(showcase, "No worker"), { viewport: phone, prepare: async (fresh) => {
      await fresh.addInitScript(() => {
        navigator.serviceWorker.register = () => Promise.reject(new DOMException("refused", "SecurityError"));
      });
    } });
    await page.getByText("This page opens only with a network. Keep it open.").waitFor();
  });

  test("two tickets that are held up at once count once each", async ({ showcase, open }) => {
    const tickets = await Promise.all(["Tom Twin", "Tim Twin"].map((name) => addGuest(showcase, name)));
    const page = await open(await doorPath(showcase, "Twins"), { viewport: phone, prepare: withCamera });
    await page.getByText("up to date").waitFor();
    await page.getByRole("button", { name: "Start the camera" }).click();
    for (const { code } of [...tickets, ...tickets, ...tickets]) {
      await showToCamera(page, code);
      await page.waitForTimeout(400);
    }
    const last = page.getByRole("region", { name: "Last on this phone" }).getByRole("listitem");
    await expect.poll(() => last.count()).toBe(2);
    await expect.poll(async () => (await last.allTextContents()).join()).not.toContain("Already in");
  });

  test("without storage it says so, and works with a network", async ({ showcase, open }) => {
    const { code } = await addGuest(showcase, "Sam Stored-Nowhere");
    const page = await open(await doorPath(showcase, "No storage"), { viewport: phone, prepare: async (fresh) => {
      await fresh.addInitScript(() => {
        indexedDB.open = () => { throw new DOMException("refused", "SecurityError"); };
      });
    } });
    await page.getByText("This phone stores nothing").waitFor();
    await page.getByRole("searchbox", { name: "Name or code" }).fill(code);
    await page.keyboard.press("Enter");
    await expect.poll(() => answer(page).textContent()).toContain("WelcomeSam Stored-Nowhere");
    await expect.poll(async () => (await askAsOrganiser<{ scans: unknown[] }>(showcase, "GET", `/api/tickets/${(await askAsOrganiser<{ items: { id: number }[] }>(showcase, "GET", "/api/tickets?search=Stored-Nowhere")).items[0]!.id}`)).scans).toHaveLength(1);
  });

  test("without a camera it says how to allow it, and codes can be typed", async ({ showcase, open }) => {
    const page = await open(await doorPath(showcase, "No camera"), { viewport: phone, prepare: async (fresh) => {
      await fresh.addInitScript(() => {
        navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException("refused", "NotAllowedError"));
      });
    } });
    await page.getByRole("button", { name: "Start the camera" }).click();
    await page.getByText("The camera is not allowed.").waitFor();
    await page.getByRole("button", { name: "Try again" }).waitFor();
    await expectAccessible(page, "no camera");
  });

  test("in landscape the buttons of an answer are in view, and the light can be switched on", async ({ showcase, open }) => {
    const prepare = async (page: Page) => {
      await withCamera(page);
      await page.addInitScript(() => {
        MediaStreamTrack.prototype.getCapabilities = () => ({ torch: true }) as MediaTrackCapabilities;
        MediaStreamTrack.prototype.applyConstraints = (applied) => Promise.resolve(void Object.assign(document, { applied }));
      });
    };
    const page = await open(await doorPath(showcase, "Landscape"), { viewport: { width: 780, height: 360 }, prepare });
    await page.getByRole("button", { name: "Start the camera" }).click();
    await page.getByRole("button", { name: "Light on" }).click();
    await page.getByRole("button", { name: "Light off" }).waitFor();
    expect(await page.evaluate(() => (document as unknown as { applied: unknown }).applied)).toEqual({ advanced: [{ torch: true }] });
    await showToCamera(page, "0000000000");
    for (const name of ["Let in with a name", "Next"]) {
      const box = await answer(page).getByRole("button", { name }).boundingBox();
      expect(box!.y >= 0 && box!.y + box!.height <= 360, `${name}: ${JSON.stringify(box)}`).toBe(true);
    }
  });

  test("what is no ticket is told and not stored, and two tabs of one phone count once", async ({ showcase, open }) => {
    const { code } = await addGuest(showcase, "Tina Twotabs");
    const path = await doorPath(showcase, "Two tabs");
    const page = await open(path, { viewport: phone, prepare: withCamera });
    await page.getByText("up to date").waitFor();
    const other = await page.context().newPage();
    await other.goto("/door");
    await other.getByText("up to date").waitFor();
    await page.getByRole("button", { name: "Start the camera" }).click();
    for (const text of ["WIFI:S:Hotel;T:WPA;P:secret;;", "BEGIN:VCARD\nFN:Somebody\nEND:VCARD", "X".repeat(3_000)]) {
      await showToCamera(page, text);
      await expect.poll(() => answer(page).textContent({ timeout: 30_000 })).toContain("This is not a ticket");
      await page.getByRole("button", { name: "Next" }).click();
    }
    await showToCamera(page, code.toLowerCase());
    await expect.poll(() => answer(page).textContent({ timeout: 30_000 })).toContain("WelcomeTina Twotabs");
    await other.getByRole("searchbox", { name: "Name or code" }).fill(code);
    await other.keyboard.press("Enter");
    await expect.poll(() => answer(other).textContent()).toContain("Already inTina Twotabs");
    await other.close();
  });
});
