import type { Page, Request } from "playwright-core";
import { describe } from "vitest";
import { forgetRefused, openAdmin } from "./support/admin";
import { expectAccessible } from "./support/axe";
import { askForLink, enter, entry } from "./support/competitor";
import { desktop, goTo, heading, phone, reload } from "./support/browser";
import { expectFocus } from "./support/keyboard";
import { stickingOut } from "./support/sticking-out";
import { beforeTheEvent, expect } from "./support/test";

const test = beforeTheEvent();

const slots = ["Eyes open, from the front", "Eyes closed, from above", "Left three-quarter", "Right three-quarter", "Close-up of the lash line"];
const chunk = 128 * 1024;

const slot = (page: Page, label: string) => page.getByRole("article", { name: label });
const choose = (page: Page, label: string, photo: Buffer) => slot(page, label).locator("input[type=file]").setInputFiles({ name: "ada-sample.jpg", mimeType: "image/jpeg", buffer: photo });
// Uploading and checking a photo is the most that a test waits for: on a busy machine it took longer than 30 s.
const uploadTimeout = 120_000;
const isUploaded = (page: Page, label: string) => slot(page, label).getByText("Uploaded", { exact: true }).waitFor({ timeout: uploadTimeout });
// The whole text: "Not handed in yet" has "Handed in" within it.
const state = (page: Page, text: string) => page.locator(".nomination-state", { hasText: new RegExp(`^${text}$`) }).waitFor();

/** A JPEG of several megabytes: its random pixels hardly compress. */
async function photo(page: Page, shade: number): Promise<Buffer> {
  const encoded = await page.evaluate((hue) => {
    const canvas = document.createElement("canvas");
    canvas.width = 2000;
    canvas.height = 1500;
    const context = canvas.getContext("2d")!;
    const image = context.createImageData(canvas.width, canvas.height);
    for (let at = 0; at < image.data.length; at += 4) image.data.set([hue + Math.random() * 90, 150 + Math.random() * 80, 120 + Math.random() * 80, 255], at);
    context.putImageData(image, 0, 0);
    return canvas.toDataURL("image/jpeg", 0.9).split(",")[1] ?? "";
  }, shade);
  return Buffer.from(encoded, "base64");
}

/** Confirms everything and hands the nomination in. */
async function handIn(page: Page): Promise<void> {
  for (const tick of await page.getByRole("group", { name: "I confirm" }).getByRole("checkbox").all()) await tick.check();
  await page.getByRole("button", { name: "Hand in" }).click();
  await state(page, "Handed in");
}

/** The offsets from which chunks were sent. */
function offsetsOf(requests: Request[]): number[] {
  return requests.filter((request) => request.method() === "PATCH").map((request) => Number(request.headers()["upload-offset"]));
}

describe("the Artist Portal", () => {
  test("takes a competitor from the emailed link to a nomination that is ready, over a line that breaks five times", async ({ open, showcase, problems }) => {
    await enter(showcase, entry.email);
    const page = await open("/artist-portal", { viewport: phone });
    await expectAccessible(page, "the way in");
    const { link } = await askForLink(page, showcase, entry.email);
    await expectAccessible(page, "the code");
    await goTo(page, link);
    await expectFocus(heading(page, "Your nominations"));
    expect(new URL(page.url()).hash, "the token leaves the address").toBe("");
    await page.getByText("5 photos and the model release are missing").waitFor();
    await page.getByText("Due March 1, 2056 at 11:59 PM").waitFor();
    await expectAccessible(page, "the nominations");
    expect(await stickingOut(page)).toEqual([]);

    await page.getByRole("button", { name: "Photos and release" }).click();
    await expectFocus(heading(page, "Lash Extensions - Volume"));
    await expectAccessible(page, "a nomination without photos");
    expect(await stickingOut(page)).toEqual([]);
    await page.getByRole("button", { name: "Hand in" }).click();
    await expectFocus(page.locator(".error-summary"));
    await page.getByRole("link", { name: `The photo '${slots[0]}' is missing` }).waitFor();
    await expectAccessible(page, "what is missing");

    // The upload of the first photo is interrupted after its first chunk, and the page is reloaded.
    const large = await photo(page, 90);
    expect(large.length).toBeGreaterThan(2 * chunk);
    const sent: Request[] = [];
    page.on("request", (request) => request.url().includes("/api/artist/uploads") && sent.push(request));
    await page.route("**/api/artist/uploads/*", (route) => Number(route.request().headers()["upload-offset"]) >= chunk ? route.abort() : route.fallback());
    await choose(page, slots[0]!, large);
    await slot(page, slots[0]!).getByText("No connection.").waitFor();
    await expectAccessible(page, "an upload without a connection");
    expect(offsetsOf(sent)[0]).toBe(0);
    // The line stays broken until the new page has tried, so that the old one cannot have sent more.
    sent.length = 0;
    await reload(page);
    await slot(page, slots[0]!).getByText("No connection.").waitFor();
    await page.unroute("**/api/artist/uploads/*");
    await isUploaded(page, slots[0]!);
    await slot(page, slots[0]!).getByText("Does it look right?").waitFor();
    expect(offsetsOf(sent)[0], "the upload continues with the second chunk").toBe(chunk);
    expect(sent.filter((request) => request.method() === "POST"), "no new upload is created").toEqual([]);

    // The line breaks four times more, once for each of the other photos, which go on by themselves.
    const broken = new Set<string>();
    sent.length = 0;
    await page.route("**/api/artist/uploads/*", (route) => {
      const request = route.request();
      if (request.method() !== "PATCH" || Number(request.headers()["upload-offset"]) < chunk || broken.has(request.url())) return route.fallback();
      broken.add(request.url());
      return route.abort();
    });
    for (const [index, label] of slots.slice(1).entries()) await choose(page, label, await photo(page, 100 + index * 30));
    for (const label of slots) await isUploaded(page, label);
    expect(broken.size).toBe(4);
    await page.unroute("**/api/artist/uploads/*");
    for (const url of broken) {
      const offsets = offsetsOf(sent.filter((request) => request.url() === url));
      expect(offsets.length - new Set(offsets).size, "one chunk is sent again").toBe(1);
    }
    await slot(page, slots[1]!).getByRole("button", { name: "see it as the judge does" }).click();
    await page.getByRole("dialog").getByText(/^As the judge sees it: LE-\d+$/).waitFor();
    await expectAccessible(page, "a photo as the judge sees it");
    await page.keyboard.press("Escape");

    const release = await page.locator(".release-link a").getAttribute("href");
    // A mail server's scanner opens the link first, in a browser of its own.
    await (await open(release!.replace(showcase.origin, ""))).getByRole("button", { name: "Sign the release" }).waitFor();
    const model = await open(release!.replace(showcase.origin, ""), { viewport: phone });
    await model.getByRole("button", { name: "Sign the release" }).click();
    await expectFocus(model.getByLabel("Your name"));
    await expectAccessible(model, "a release without answers");
    await model.getByLabel("I am under 18, and my parent or guardian signs").check();
    await model.getByLabel("Your name").fill("Mia Model");
    await model.getByLabel("Name of your parent or guardian").fill("Gus Guardian");
    await model.getByLabel("Signature").fill("Gus Guardian");
    await model.getByLabel("I have read the text above and agree to it.").check();
    expect(await stickingOut(model)).toEqual([]);
    await model.getByRole("button", { name: "Sign the release" }).click();
    await expectFocus(heading(model, "Thank you"));
    await expectAccessible(model, "a signed release");

    await page.getByText("Your model has signed").waitFor();
    for (const tick of await page.getByRole("group", { name: "I confirm" }).getByRole("checkbox").all()) await tick.check();
    await expectAccessible(page, "everything is there");
    await page.getByRole("button", { name: "Hand in" }).click();
    await state(page, "Handed in");
    await expectFocus(heading(page, "Lash Extensions - Volume"));
    expect(await page.locator("input[type=file]").count(), "nothing can be changed").toBe(0);
    await expectAccessible(page, "handed in");

    const admin = await openAdmin(open, showcase, "/export-data/nominations", { viewport: desktop });
    await admin.getByLabel("State").selectOption("Handed in");
    await admin.getByText("1 nomination", { exact: true }).waitFor();
    await expectAccessible(admin, "the organiser's list");
    await admin.getByRole("searchbox", { name: "Search code" }).pressSequentially("nobody");
    await admin.getByText("Nothing found for “nobody”").waitFor();
    await admin.getByRole("link", { name: "Show all nominations" }).click();
    await admin.getByRole("link", { name: /^LE-/ }).click();
    await admin.getByRole("button", { name: `Zoom: ${slots[2]}` }).click();
    await admin.getByRole("button", { name: "Actual size" }).click();
    await expectAccessible(admin, "a photo in its actual size");
    await admin.getByRole("button", { name: "Close", exact: true }).click();
    await admin.getByRole("button", { name: "Return…" }).click();
    await admin.getByRole("button", { name: "Return these photos" }).click();
    await admin.getByRole("group", { name: "Photos to replace" }).getByText("Error: Please choose at least one photo").waitFor();
    await expectFocus(admin.getByRole("checkbox", { name: slots[0] }));
    await admin.getByRole("checkbox", { name: slots[2] }).check();
    await admin.getByLabel(`What is wrong with "${slots[2]}"`).fill("The left eye is blurred.");
    await expectAccessible(admin, "a return");
    await admin.getByRole("button", { name: "Return these photos" }).click();
    await admin.locator(".status", { hasText: "Returned" }).waitFor();
    await expectAccessible(admin, "a returned nomination, for the organiser");

    await reload(page);
    await state(page, "Returned to you");
    await slot(page, slots[2]!).getByText("The left eye is blurred.").waitFor();
    expect(await page.locator("input[type=file]").count(), "one photo may be replaced").toBe(1);
    await expectAccessible(page, "a returned nomination");
    const before = await slot(page, slots[2]!).locator("img").getAttribute("src");
    await choose(page, slots[2]!, await photo(page, 60));
    await expect.poll(() => slot(page, slots[2]!).locator("img").getAttribute("src"), { timeout: uploadTimeout }).not.toBe(before);
    await handIn(page);

    await reload(admin);
    await admin.getByRole("button", { name: "Ready for the judges" }).click();
    await admin.locator(".status", { hasText: "Ready" }).waitFor();
    await reload(page);
    await state(page, "Ready for the judges");
    await expectAccessible(page, "a nomination that is ready");
    forgetRefused(problems, "/api/artist/");
    forgetRefused(problems, "/api/releases/");
  });

  test("takes a photo of a signed paper, which the organiser returns once and then confirms", { tags: ["firefox"] }, async ({ open, showcase, problems }) => {
    await enter(showcase, "dana@example.com");
    const page = await open("/artist-portal", { viewport: phone });
    const { link } = await askForLink(page, showcase, "dana@example.com");
    // The first try to sign in finds no connection.
    await page.route("**/api/artist/session", (route) => route.abort());
    await goTo(page, link);
    const tryAgain = page.getByRole("button", { name: "Try again" });
    await tryAgain.waitFor();
    await page.unroute("**/api/artist/session");
    await tryAgain.click();
    await expectFocus(heading(page, "Your nominations"));
    expect(new URL(page.url()).hash, "the token leaves the address").toBe("");
    await page.getByRole("button", { name: "Photos and release" }).click();
    const picture = await photo(page, 120);
    for (const label of slots) await choose(page, label, picture);
    for (const label of slots) await isUploaded(page, label);
    const paper = slot(page, "Signed paper");
    const waiting = paper.getByText("Waiting for the organizer to check the paper");
    await page.route("**/api/artist/uploads/*", (route) => route.abort());
    await choose(page, "Signed paper", picture);
    await paper.getByText("No connection. The upload resumes by itself.").waitFor();
    await reload(page);
    await paper.getByText("No connection. The upload resumes by itself.").waitFor();
    await page.unroute("**/api/artist/uploads/*");
    await waiting.waitFor({ timeout: uploadTimeout });
    expect(await page.locator(".release-ways").count(), "the code is no longer needed").toBe(0);
    await paper.getByRole("button", { name: "Signed paper: view it" }).click();
    await page.getByRole("dialog").getByText("Only the organizer sees it").waitFor();
    await expectAccessible(page, "the signed paper");
    await page.keyboard.press("Escape");
    await paper.getByRole("button", { name: "Remove the photo: Signed paper" }).click();
    await page.locator(".release-ways").waitFor();
    await expectFocus(paper);
    await choose(page, "Signed paper", picture);
    await waiting.waitFor({ timeout: uploadTimeout });
    await expectAccessible(page, "a paper that waits");
    await handIn(page);
    await waiting.waitFor({ timeout: uploadTimeout });
    expect(await page.locator("input[type=file]").count(), "nothing can be changed").toBe(0);

    const admin = await openAdmin(open, showcase, "/export-data/nominations?search=dana", { viewport: desktop });
    await admin.getByText("Signed paper to confirm").waitFor();
    await admin.getByRole("link", { name: /^LE-/ }).click();
    await admin.getByText("Confirm the signed paper first, or return it.").waitFor();
    await admin.getByRole("button", { name: "Zoom: Signed paper" }).click();
    await expectAccessible(admin, "the signed paper, for the organiser");
    await admin.getByRole("button", { name: "Close", exact: true }).click();
    await admin.getByRole("button", { name: "Return…" }).click();
    await admin.getByRole("checkbox", { name: "Signed paper" }).check();
    await admin.getByLabel('What is wrong with "Signed paper"').fill("The signature is cut off.");
    await admin.getByRole("button", { name: "Return these photos" }).click();
    await admin.locator(".status", { hasText: "Returned" }).waitFor();

    await reload(page);
    await state(page, "Returned to you");
    await paper.getByText("The signature is cut off.").waitFor();
    expect(await page.locator("input[type=file]").count(), "only the paper may be replaced").toBe(1);
    await expectAccessible(page, "a returned paper");
    expect(await stickingOut(page)).toEqual([]);
    await choose(page, "Signed paper", await photo(page, 60));
    await waiting.waitFor({ timeout: uploadTimeout });
    await handIn(page);

    await reload(admin);
    await admin.getByRole("button", { name: "Confirm the paper" }).click();
    await expectFocus(admin.getByLabel("Model's name"));
    await admin.getByLabel("Model's name").fill("Mia Model");
    await admin.getByLabel("The model is under 18").check();
    await admin.getByLabel("Name of the parent or guardian").fill("Gus Guardian");
    await expectAccessible(admin, "a paper to confirm");
    await admin.getByRole("button", { name: "Confirm the paper" }).click();
    await admin.getByText("On paper, confirmed").waitFor();
    await expectFocus(admin.getByRole("heading", { name: "Release on paper" }));
    await admin.getByRole("button", { name: "Ready for the judges" }).click();
    await admin.locator(".status", { hasText: "Ready" }).waitFor();
    await reload(page);
    await page.getByText("Your model has signed on paper, and the organizer has checked it").waitFor();
    forgetRefused(problems, "/api/artist/");
  });

  test("accepts the code, gives strangers the same answer, and ends every session", async ({ open, showcase, problems }) => {
    await enter(showcase, "bea@example.com");
    const page = await open("/artist-portal", { viewport: phone });
    await page.getByRole("button", { name: "Email me a link" }).click();
    await expectFocus(page.getByLabel("Email address"));
    const { link, code } = await askForLink(page, showcase, "bea@example.com");
    await page.getByRole("button", { name: "Sign in" }).click();
    await expectFocus(page.getByLabel("Code"));
    await page.getByLabel("Code").fill(code === "000000" ? "000001" : "000000");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").filter({ hasText: "code" }).waitFor();
    await page.getByLabel("Code").fill(code);
    await page.getByRole("button", { name: "Sign in" }).click();
    await expectFocus(heading(page, "Your nominations"));
    await page.getByRole("button", { name: "Sign out everywhere" }).click();
    await page.getByText("the links in earlier emails no longer work").waitFor();
    await goTo(page, link);
    await page.getByText("This link does not work any more").waitFor();
    await page.getByLabel("Email address").fill("stranger@example.com");
    await page.getByRole("button", { name: "Email me a link" }).click();
    await page.getByText("If stranger@example.com has an entry, an email with a link is on its way.").waitFor();
    forgetRefused(problems, "/api/artist/session");
  });

  test("takes down which judges a competitor knows, for the organiser", async ({ open, showcase, problems }) => {
    await enter(showcase, "cleo@example.com");
    const page = await open("/artist-portal", { viewport: phone });
    const { link } = await askForLink(page, showcase, "cleo@example.com");
    await goTo(page, link);
    await expectFocus(heading(page, "Your nominations"));
    await page.getByRole("button", { name: "Tell the organizer" }).click();
    await page.getByText("Please choose a judge").waitFor();
    await expectFocus(page.getByLabel("How you know the judge"));
    await expectAccessible(page, "a relation without a judge");
    await page.getByLabel("How you know the judge").selectOption("I was trained by");
    await page.getByLabel("Judge", { exact: true }).selectOption("Head Judge");
    await page.getByLabel("In your own words").fill("Two courses in 2023.");
    await page.getByRole("button", { name: "Tell the organizer" }).click();
    await page.getByText("Thank you. Head Judge does not score your work.").waitFor();
    await expectAccessible(page, "a relation to a judge");
    expect(await stickingOut(page)).toEqual([]);
    await page.getByRole("button", { name: "Photos and release" }).click();
    await page.getByRole("button", { name: "All nominations" }).click();
    await page.locator(".relations").getByText("I was trained by Head Judge").first().waitFor();

    const admin = await openAdmin(open, showcase, "/export-data/nominations?search=cleo", { viewport: desktop });
    await admin.getByText("Knows Head Judge").waitFor();
    await admin.getByRole("link", { name: /^LE-/ }).click();
    await admin.getByText("Trained by Head Judge: Two courses in 2023.").waitFor();
    await expectAccessible(admin, "a nomination with a relation to a judge");

    await page.getByLabel("In your own words").fill("Another one");
    await page.getByRole("button", { name: /^Remove I was trained by Head Judge/ }).click();
    await page.getByText("Removed.", { exact: true }).waitFor();
    expect(await page.getByLabel("In your own words").inputValue(), "what is being written stays").toBe("Another one");
    await expectFocus(page.getByRole("heading", { name: "Do you know a judge?" }));
    expect(await page.locator(".relations").count()).toBe(0);
    forgetRefused(problems, "/api/artist/");
  });
});
