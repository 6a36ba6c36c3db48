import { describe } from "vitest";
import { expectAccessible } from "./support/axe";
import { expectToast, fakeReply, openAdmin } from "./support/admin";
import { press } from "./support/keyboard";
import { expect, testWith } from "./support/test";

/** A server with a mailbox for its reports. */
const test = testWith({ environment: { SHOWCASE_REPORTS_RECIPIENT: "desk@example.com" } });

describe("the scheduler", () => {
  const runs = { nextDailyRun: "2026-03-08T13:00:00.000Z", lastDailyRun: "2026-03-07T14:00:00.000Z", nextWeeklyRun: null, lastWeeklyRun: null };
  const status = (isRunning: boolean) => ({ isRunning, config: { dailyReportTime: "09:00", weeklyReportTime: "Mon 09:00" }, ...runs });

  test("starts and stops, and shows its runs in event time only while it runs", async ({ showcase, open }) => {
    const page = await openAdmin(open, showcase, "/export-data");
    await page.getByText("Running", { exact: true }).waitFor();
    await press(page, page.getByRole("button", { name: "Stop Scheduler" }));
    await expectToast(page, "Scheduler Stopped", "Automated reports are paused.");
    await page.getByText("Stopped", { exact: true }).waitFor();
    await page.getByText("Next daily report").waitFor({ state: "detached" });
    await expectAccessible(page, "the scheduler, stopped");
    await press(page, page.getByRole("button", { name: "Start Scheduler" }));
    await expectToast(page, "Scheduler Started", "Automated reports are now active.");
    await page.getByText("Running", { exact: true }).waitFor();
    await page.getByText("Next daily report").waitFor();
    await expectAccessible(page, "the scheduler, running");
  });

  test("is asked again every 30 s; what is missing is not scheduled; a failure says so", async ({ showcase, open }) => {
    let asked = 0;
    const page = await openAdmin(open, showcase, "/export-data", { prepare: async (fresh) => {
      // Stands still from the start: the first 30 s are not shortened by what the machine takes for the page.
      await fresh.clock.install({ time: 0 });
      await fresh.clock.pauseAt(1_000);
      await fresh.route("**/api/scheduler/status", (route) => {
        asked += 1;
        return route.fulfill({ json: status(true) });
      });
    } });
    const run = (label: string) => page.locator(".runs div", { hasText: label }).locator("dd");
    expect(await run("Next daily report").innerText()).toBe("Mar 8, 9:00 AM");
    expect(await run("Last daily report").innerText()).toBe("Mar 7, 9:00 AM");
    expect(await run("Next weekly report").innerText()).toBe("Not scheduled");
    await page.getByText("The weekly report is sent every Monday at 9:00 AM").waitFor();
    const before = asked;
    await page.clock.runFor(29_000);
    expect(asked).toBe(before);
    // Each interval starts with the previous answer, whose time varies. So the clock is advanced until the next request.
    const goesOn = { timeout: 20_000, interval: 5 };
    for (const times of [1, 2]) {
      await expect.poll(async () => { await page.clock.runFor(1_000); return asked; }, goesOn).toBe(before + times);
    }

    await fakeReply(page, "/api/scheduler/stop", 500);
    await page.getByRole("button", { name: "Stop Scheduler" }).click();
    await expectToast(page, "Error", "There was an error trying to stop the scheduler. Please try again.");
    await fakeReply(page, "/api/scheduler/status", 503, { detail: "The server is starting." });
    const failure = page.getByText("The scheduler could not be loaded. The server is starting.");
    await expect.poll(async () => { await page.clock.runFor(1_000); return failure.count(); }, goesOn).toBe(1);
  });
});
