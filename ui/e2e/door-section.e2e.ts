import { askAsOrganiser, expectToast, fakeReply, openAdmin } from "./support/admin";
import { expectAccessible } from "./support/axe";
import { phone, goTo } from "./support/browser";
import { addGuest } from "./support/door";
import { expect, test } from "./support/test";

test("the organizer opens a phone, adds a guest, follows who comes, and makes a ticket void", async ({ showcase, open }) => {
  await addGuest(showcase, "Olga Helper", { note: "Press" });
  const page = await openAdmin(open, showcase, "/export-data/door");
  const tickets = page.getByRole("table", { name: "Tickets" });
  await tickets.getByRole("link", { name: "Olga Helper" }).waitFor();

  await page.getByRole("button", { name: "Add a phone" }).click();
  await page.getByText("Please give it a name").waitFor();
  await page.getByLabel("Name of the phone").fill("Main entrance");
  await page.getByLabel("It stops").selectOption("In 12 hours");
  await page.getByRole("button", { name: "Add a phone" }).click();
  await page.getByRole("img", { name: "QR code that opens Main entrance" }).waitFor();
  await expectAccessible(page, "a new phone");
  await page.getByRole("button", { name: "Copy the link" }).click();
  await page.getByRole("status").filter({ hasText: /link is copied|copy it yourself: .*\/door#/ }).waitFor();
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("table", { name: "Phones at the door" }).getByText("Not opened yet").waitFor();

  await page.getByRole("button", { name: "Add a guest" }).click();
  await page.getByRole("dialog").getByLabel("Name", { exact: true }).fill("Walter Guest");
  await page.getByRole("dialog").getByLabel("Email").fill("walter@example.com");
  await expectAccessible(page, "a new guest");
  await fakeReply(page, "/api/tickets", 503, { detail: "The database is busy." }, 1);
  await page.getByRole("dialog").getByRole("button", { name: "Add" }).click();
  await page.getByRole("dialog").getByRole("alert").getByText("The database is busy.").waitFor();
  await expectAccessible(page, "a guest who could not be added");
  await page.getByRole("dialog").getByRole("button", { name: "Add" }).click();
  await tickets.getByRole("link", { name: "Walter Guest" }).click();
  await page.getByRole("heading", { level: 1, name: "Walter Guest" }).waitFor();
  await page.getByRole("button", { name: "Send the ticket" }).click();
  await expect.poll(() => showcase.mails().filter(({ to }) => to === "walter@example.com")).toHaveLength(1);
  await page.getByRole("button", { name: "Make it void" }).click();
  await page.getByRole("dialog").getByLabel(/^Reason/).fill("Cannot come");
  await page.getByRole("dialog").getByRole("button", { name: "Make it void" }).click();
  await page.getByText("Void: Cannot come").waitFor();
  await page.getByRole("button", { name: "Make it valid again" }).click();
  await page.getByText("Valid", { exact: true }).waitFor();

  // Somebody comes.
  const { items } = await askAsOrganiser<{ items: { code: string }[] }>(showcase, "GET", "/api/tickets?search=Olga");
  const { url } = await askAsOrganiser<{ url: string }>(showcase, "POST", "/api/door/devices", { name: "Side entrance" });
  const device = await open("/privacy");
  await device.evaluate(async ({ token, code }) => {
    const send = (path: string, body: object) => fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
    const at = new Date().toISOString();
    await send("/api/door/session", { token });
    for (const id of ["first", "second"]) await send("/api/door/scans", { sentAt: at, scans: [{ id, code, list: "day-1", at }] });
  }, { token: new URL(url).hash.slice(1), code: items[0]!.code });
  await goTo(page, "/export-data/door");
  await page.getByRole("row", { name: "Everybody 1 of 2" }).waitFor();
  await page.getByRole("heading", { name: "Scanned more than once" }).waitFor();
  await page.getByRole("listitem").filter({ hasText: "Olga Helper, Day 1: 2 times" }).waitFor();
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Who came, as Excel" }).click()]);
  expect(file.suggestedFilename()).toMatch(/attendance\.xlsx$/);
  await expectAccessible(page, "the door");
  if (process.env.SHOWCASE_PICTURES) {
    await page.screenshot({ path: `${process.env.SHOWCASE_PICTURES}/door-section-1440.png`, fullPage: true });
    await page.setViewportSize(phone);
    await page.screenshot({ path: `${process.env.SHOWCASE_PICTURES}/door-section-390.png`, fullPage: true });
  }
  await page.getByText("In all, 2 badges are not printed yet.").waitFor();
  const badges = page.getByRole("link", { name: "Only those not printed yet" });
  const [printed] = await Promise.all([page.context().waitForEvent("page"), badges.click()]);
  await printed.getByText("Walter Guest").waitFor();
  await printed.close();
  await page.getByRole("button", { name: "The badges are printed" }).click();
  await page.getByText("Every badge is printed.").waitFor();
  await badges.waitFor({ state: "detached" });
  await page.getByRole("link", { name: "Write to those who came" }).click();
  await page.getByRole("heading", { level: 1, name: "New email to a group" }).waitFor();
  expect(await page.getByLabel("Kind").inputValue()).toBe("all");
  expect(await page.getByLabel("At the door").inputValue()).toBe("came");
  await page.getByText("Guests, and judges who were invited without an application, are not in a group.").waitFor();
  await goTo(page, "/export-data/door");
  await page.getByRole("button", { name: "End Side entrance" }).click();
  await page.getByRole("button", { name: "Really end Side entrance" }).click();
  await page.getByRole("row", { name: /^Side entrance/ }).waitFor({ state: "detached" });
});

test("the organizer sends the tickets that were not sent yet, and reads how many", async ({ showcase, open }) => {
  // A ticket that has become valid again is sent again.
  await askAsOrganiser(showcase, "POST", "/api/tickets/send", {});
  await addGuest(showcase, "Wanda Guest", { email: "wanda@example.com" });
  const page = await openAdmin(open, showcase, "/export-data/door");
  const dialog = page.getByRole("dialog");
  for (const [title, message] of [["Sending", "1 ticket is on its way."], ["Nothing to Send", "Everybody has had their ticket."]] as const) {
    await page.getByRole("button", { name: "Send tickets" }).click();
    await dialog.getByRole("button", { name: "Send", exact: true }).click();
    await expectToast(page, title, message);
    await dialog.waitFor({ state: "detached" });
  }
  expect(showcase.mails().filter(({ to }) => to === "wanda@example.com")).toHaveLength(1);
});

test("the organizer notes something about a guest and prints the badge", async ({ showcase, open }) => {
  const { id } = await addGuest(showcase, "Nora Noted");
  const page = await openAdmin(open, showcase, `/export-data/door?id=${id}`);
  await page.getByLabel("Note").fill("Model, no photos");
  await page.getByRole("button", { name: "Save the note" }).click();
  await page.getByText("Phones at the door show it.").waitFor();
  await page.getByRole("button", { name: "Mark the badge as printed" }).click();
  await page.getByText("The badge of Nora Noted is printed.").waitFor();
  await page.getByRole("button", { name: "Mark the badge as printed" }).waitFor({ state: "detached" });
  await page.reload();
  expect(await page.getByLabel("Note").inputValue()).toBe("Model, no photos");
  await expectAccessible(page, "a ticket");
});
