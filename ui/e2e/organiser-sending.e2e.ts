import { readFileSync } from "node:fs";
import { describe } from "vitest";
import { expectAccessible } from "./support/axe";
import { expectToast, fakeReply, forgetRefused, openAdmin, register, speaker } from "./support/admin";
import { expectFocus, press } from "./support/keyboard";
import { expect, test } from "./support/test";

describe("exports", () => {
  test("are saved under the server's name, whole or selected", async ({ showcase, open }) => {
    await register(showcase, "speaker-applications", speaker);
    const page = await openAdmin(open, showcase, "/export-data");
    const save = async (button: string) => {
      const [file] = await Promise.all([page.waitForEvent("download"), press(page, page.getByRole("button", { name: button }))]);
      return { name: file.suggestedFilename(), text: readFileSync(await file.path(), "utf8") };
    };
    const csv = await save("Download CSV");
    expect(csv.name).toMatch(/registrations-\d{4}-\d\d-\d\d\.csv$/);
    expect(csv.text).toContain("ada@example.com");
    const json = await save("Download JSON");
    expect(json.name).toMatch(/\.json$/);
    expect(JSON.parse(json.text)).toMatchObject({ totalRegistrations: 1 });

    await page.getByLabel("What").selectOption("Judge applications");
    const judges = await save("Download CSV");
    expect(judges.name).toMatch(/judge-applications-/);
    expect(judges.text).not.toContain("ada@example.com");

    await page.getByRole("textbox", { name: "From" }).fill("2026-03-29");
    await page.getByRole("textbox", { name: "To (optional)" }).fill("2026-03-28");
    await page.getByText("The end date is before the start date.").waitFor();
    const inactive = page.getByRole("button", { name: "Download CSV" });
    await expect.poll(() => inactive.getAttribute("aria-disabled")).toBe("true");
    const exports: string[] = [];
    page.on("request", (request) => request.url().includes("/api/export") && exports.push(request.url()));
    await inactive.focus();
    await page.keyboard.press("Enter");
    await expectFocus(inactive);
    expect(exports).toEqual([]);
    await expectAccessible(page, "an export of no days");
  });

  test.for(["CSV", "JSON", "Excel"])("%s: a failure is the browser's own alert", async (format, { showcase, open }) => {
    const page = await openAdmin(open, showcase, "/export-data");
    await fakeReply(page, `/api/export/${format === "Excel" ? "xlsx" : format.toLowerCase()}`, 500);
    const alerted = page.waitForEvent("dialog").then(async (dialog) => {
      await dialog.accept();
      return dialog;
    });
    // A key, because a click misses a button that moves while the page above it fills.
    const [dialog] = await Promise.all([alerted, press(page, page.getByRole("button", { name: `Download ${format}` }))]);
    expect([dialog.type(), dialog.message()]).toEqual(["alert", "Export failed. Please try again."]);
  });
});

describe("reports by hand", () => {
  test.for(["daily", "weekly"])("%s: sent, queued, refused", async (cadence, { showcase, open, problems }) => {
    const word = cadence === "daily" ? "Daily" : "Weekly";
    const path = `/api/export/send-${cadence}-report`;
    const page = await openAdmin(open, showcase, "/export-data");
    const button = page.getByRole("button", { name: `Send ${word} Report` });
    // This server has no address for reports in its settings.
    await press(page, button);
    await expectToast(page, "Failed to Send Report", `There was an error sending the ${cadence} report. Please try again.`);
    await page.getByText("There is no mailbox for reports").waitFor();
    await expectAccessible(page, "a report that was refused");

    const { asked } = await fakeReply(page, path, 200, { status: "sent" });
    await press(page, button);
    await expectToast(page, `${word} Report Sent`, /organiser.s mailbox/);
    expect(asked).toEqual([""]);
    await page.getByText("There is no mailbox for reports").waitFor({ state: "detached" });
    await fakeReply(page, path, 202, { status: "queued", detail: "The mail server has not accepted it yet: 451 later. Sending is retried automatically." });
    await press(page, button);
    await expectToast(page, `${word} Report Queued`, "The mail server has not accepted it yet: 451 later. Sending is retried automatically.");
    forgetRefused(problems, path);
  });

  test("on request: sent, refused and failed", async ({ showcase, open }) => {
    const page = await openAdmin(open, showcase, "/export-data");
    const { asked } = await fakeReply(page, "/api/export/send-notification", 200, { status: "sent" });
    const send = page.getByRole("button", { name: "Send Email Export" });
    const csv = page.getByRole("switch", { name: "Include CSV attachment" });
    expect(await csv.isChecked()).toBe(true);
    await press(page, send);
    await expectToast(page, "Email Notification Sent", /daily export/);
    await page.getByLabel("Period").selectOption("weekly");
    await csv.focus();
    await page.keyboard.press("Space");
    await press(page, send);
    await expectToast(page, "Email Notification Sent", /weekly export/);
    expect(asked.map((body) => JSON.parse(body) as unknown)).toEqual([{ period: "daily", includeCSV: true }, { period: "weekly", includeCSV: false }]);
    await fakeReply(page, "/api/export/send-notification", 502, { detail: "The mail server said: 550 no such user." });
    await press(page, send);
    await expectToast(page, "Failed to Send Notification", "There was an error sending the email notification. Please try again.");
    await page.getByText("The mail server said: 550 no such user.").waitFor();
  });
});

test("reports that are started without a mailbox are said to go nowhere", async ({ showcase, open }) => {
  const page = await openAdmin(open, showcase, "/export-data");
  await page.getByText("Stopped", { exact: true }).waitFor();
  await press(page, page.getByRole("button", { name: "Start Scheduler" }));
  await expectToast(page, "Scheduler Started", /active/);
  await page.getByText("Running", { exact: true }).waitFor();
  await page.getByRole("region", { name: "Needs your attention" }).getByText(/reports\.recipient is not set/).waitFor();
});
