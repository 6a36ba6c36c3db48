import type { Page } from "playwright-core";
import { describe } from "vitest";
import { goTo } from "./support/browser";
import { askForLink, enter } from "./support/competitor";
import { photo } from "./support/photo";
import { beforeTheEvent, expect } from "./support/test";

const test = beforeTheEvent();
const testOfDemo = beforeTheEvent({ flags: ["--demo"] });

/** A browser inside an app, which refuses every storage. Cookies of the site itself work, as they do there. */
const blocked = {
  prepare: async (page: Page) => {
    await page.addInitScript(() => {
      for (const name of ["localStorage", "sessionStorage", "indexedDB"]) {
        Object.defineProperty(globalThis, name, { get: () => { throw new DOMException("The operation is insecure.", "SecurityError"); } });
      }
    });
  },
};

describe("a browser without any storage", () => {
  testOfDemo.for([["/#waitlist", "Waitlist signup"], ["/apply-speaker", "Speaker application"], ["/apply-judge", "Judge application"], ["/sponsors", "Sponsor inquiry"], ["/enter-competition", "Competition entry"]])("on %s says that nothing is kept", async ([path, name], { open }) => {
    const page = await open(path!, blocked);
    const form = page.getByRole("form", { name });
    await form.scrollIntoViewIfNeeded();
    await expect.poll(() => form.locator("[type=submit]").getAttribute("aria-disabled")).not.toBe("true");
    await form.getByRole("textbox", { name: "Email" }).fill("ada@example.com");
    await form.getByText("This browser keeps nothing of what you type").waitFor();
  });

  test("sends a form", async ({ open, showcase }) => {
    const page = await open("/#waitlist", blocked);
    const form = page.getByRole("form", { name: "Waitlist signup" });
    await form.getByRole("textbox", { name: "Full name" }).fill("Ada Sample");
    await form.getByRole("textbox", { name: "Email" }).fill("in-app@example.com");
    await form.getByRole("button", { name: "Join the waitlist" }).click();
    await page.getByRole("heading", { name: "You are on the list" }).waitFor();
    expect(showcase.records("waitlist-signups").map(({ email }) => email)).toEqual(["in-app@example.com"]);
  });

  test("signs in to the portal, also by a link that a scanner's browser has opened before, and uploads", async ({ open, showcase }) => {
    await enter(showcase, "in-app@example.com");
    const page = await open("/artist-portal", blocked);
    const { link } = await askForLink(page, showcase, "in-app@example.com");
    const scanner = await open(link);
    await scanner.getByRole("heading", { name: "Your nominations" }).waitFor();
    await goTo(page, link);
    await page.getByRole("button", { name: "Photos and release" }).click();
    const slot = page.locator("article.photo-slot").first();
    await slot.locator("input[type=file]").setInputFiles({ name: "a.jpg", mimeType: "image/jpeg", buffer: await photo(page) });
    await slot.getByText("Uploaded", { exact: true }).waitFor({ timeout: 120_000 });
  });
});
