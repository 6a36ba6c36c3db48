import { describe } from "vitest";
import { forgetRefused } from "./support/admin";
import { phone } from "./support/browser";
import { expectAccessible } from "./support/axe";
import { expectFocus, press } from "./support/keyboard";
import { expect, test } from "./support/test";

const faqSections = ["General Event Info", "Competition", "Speakers & Judges", "Sponsorship & Swag Bag", "Payment & Policies", "Day-of-Event"];

const agreements = [
  "Photography & Videography Release", "Speaker Terms & Conditions", "Judge Terms & Conditions",
  "Competition Terms & Refund Policy", "Demo Terms & Conditions", "Partnership Terms & Conditions",
];

describe("without script", () => {
  test("the home page shows all its texts, and its links work", async ({ open }) => {
    const page = await open("/", { javaScriptEnabled: false });
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toMatch(/The Global Lash & Brow Showcase\s*\+\s*Championship/);
    for (const heading of ["Competition Categories", "Recognition that travels with you", "Elite All-Access Pass", "Take your place", "Join the waitlist"]) {
      expect(await page.getByRole("heading", { name: heading }).isVisible(), heading).toBe(true);
    }
    expect(await page.getByRole("link", { name: "Register for All-Access Pass - $449" }).getAttribute("href")).toBe("/enter-competition");
    await page.getByRole("link", { name: "Apply as Speaker" }).last().click();
    await page.getByRole("heading", { level: 1, name: "Apply as Speaker", exact: true }).waitFor();
    expect(await page.getByRole("textbox", { name: "Topic proposal" }).isVisible()).toBe(true);
    // Text queries ignore the contents of a noscript element.
    expect(await page.locator("noscript .form-notice").innerText()).toContain("Sending this form needs JavaScript.");
  });

  test("every FAQ answer is open, and every slide is visible", async ({ open }) => {
    const page = await open("/faq", { javaScriptEnabled: false });
    for (const section of faqSections) expect(await page.getByRole("heading", { name: section, exact: true }).isVisible(), section).toBe(true);
    for (const answer of await page.getByRole("main").getByRole("paragraph").all()) expect(await answer.isVisible()).toBe(true);
    await page.goto("/");
    for (const slide of ["Breakfast with your peers", "Gala dinner"]) expect(await page.getByText(slide, { exact: true }).isVisible()).toBe(true);
  });

  test("the terms page has the texts that forms ask to agree to, and every biography is shown in full", async ({ open }) => {
    const page = await open("/terms", { javaScriptEnabled: false });
    for (const agreement of agreements) {
      expect(await page.getByRole("heading", { level: 2, name: agreement, exact: true }).isVisible(), agreement).toBe(true);
      await page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: agreement, exact: true }).click();
    }
    expect(await page.getByText("No compensation is owed for this use.").isVisible()).toBe(true);

    await page.goto("/speakers-judges");
    expect(await page.locator(".person noscript p").first().innerText()).toContain("The talk covers isolation");
    expect(await page.getByRole("button", { name: /Read More/ }).count(), "a button that does nothing").toBe(0);
  });

  test("a map that cannot be shown leaves no empty box", async ({ open }) => {
    const page = await open("/venue", { javaScriptEnabled: false });
    expect(await page.locator(".map-place").isVisible()).toBe(false);
    expect(await page.locator(".map").getByRole("link").isVisible()).toBe(true);
  });

  test("a phone has the menu without its button", async ({ open }) => {
    const page = await open("/venue", { javaScriptEnabled: false, viewport: phone });
    const link = page.getByRole("navigation", { name: "Menu" }).getByRole("link", { name: "Schedule" });
    expect(await link.isVisible(), "the menu is folded above the heading").toBe(false);
    await page.getByText("Menu", { exact: true }).click();
    await link.click();
    await page.getByRole("heading", { level: 1, name: "Schedule", exact: true }).waitFor();
  });
});

describe("what unfolds", () => {
  test("each FAQ section by itself, by keyboard", async ({ open }) => {
    const page = await open("/faq");
    const sections = page.getByRole("main").getByRole("button");
    expect(await sections.allInnerTexts()).toEqual(faqSections);
    const state = () => sections.evaluateAll((buttons) => buttons.map((button) => button.getAttribute("aria-expanded")));
    await expect.poll(state).toEqual(Array(6).fill("false"));
    const park = page.getByText("Where do I park?");
    expect(await park.isVisible()).toBe(false);
    await press(page, sections.nth(1));
    await press(page, sections.nth(5));
    await park.waitFor();
    await expect.poll(state).toEqual(["false", "true", "false", "false", "false", "true"]);
    await expectAccessible(page, "two FAQ sections open");
    await page.keyboard.press("Enter");
    await park.waitFor({ state: "hidden" });
    await expect.poll(state).toEqual(["false", "true", "false", "false", "false", "false"]);
    expect(await page.getByRole("link", { name: "Contact Us" }).getAttribute("href")).toMatch(/^mailto:/);
  });

  test("each biography by itself", async ({ open }) => {
    const page = await open("/speakers-judges");
    const more = page.getByRole("button", { name: "Read More about Featured Speaker One" });
    const full = page.getByText("The talk covers isolation, attachment and retention");
    expect(await full.count()).toBe(0);
    await press(page, more);
    await full.waitFor();
    await expectFocus(page.getByRole("button", { name: "Read Less about Featured Speaker One" }));
    await expect.poll(() => page.getByRole("button", { name: /^Read Less/ }).count()).toBe(1);
    await expectAccessible(page, "a biography open");
    await page.keyboard.press("Enter");
    await full.waitFor({ state: "detached" });
    const profile = page.getByRole("link", { name: "@speaker-one" });
    expect([await profile.getAttribute("target"), await profile.getAttribute("rel")]).toEqual(["_blank", "noopener noreferrer"]);
  });

  test("the map, only when it is asked for", async ({ open, problems }) => {
    const page = await open("/venue");
    expect(await page.locator("iframe").count()).toBe(0);
    await page.route(/^https:/, (route) => route.fulfill({ contentType: "text/html", body: "<!doctype html><html lang=en><title>Map</title><p>Map" }));
    const asked = page.waitForRequest(/^https:/);
    await press(page, page.getByRole("button", { name: "Show the map" }));
    const frame = page.locator("iframe");
    await frame.waitFor();
    expect(await frame.getAttribute("title")).not.toBe("");
    await expectFocus(frame);
    // The frame may exist before its request is reported.
    const url = (await asked).url();
    expect(problems.splice(0)).toEqual([`a request to ${url}`]);
  });
});

describe("the chat button", () => {
  test("opens the messenger in a new tab with a greeting", async ({ open }) => {
    const page = await open("/");
    const chat = page.getByRole("link", { name: "Chat with us on WhatsApp" });
    const address = new URL((await chat.getAttribute("href")) ?? "");
    expect(address.hostname).toBe("wa.me");
    expect(address.searchParams.get("text")).toContain("interested");
    expect(await chat.getAttribute("target")).toBe("_blank");
  });

  test("shows its tooltip after 700 ms, at once within 300 ms of the last, and hides it on Escape", async ({ open }) => {
    const page = await open("/faq", { prepare: (fresh) => fresh.clock.install() });
    const chat = page.getByRole("link", { name: "Chat with us on WhatsApp" });
    const tooltip = page.getByRole("tooltip");
    await page.clock.pauseAt(new Date(Date.now() + 3_600_000));
    await chat.focus();
    await page.clock.runFor(690);
    expect(await tooltip.count()).toBe(0);
    await page.clock.runFor(20);
    await tooltip.waitFor();
    // In one script: the 300 ms are counted by the timestamps of events, which a test cannot stop.
    const hid = await chat.evaluate(async (link) => {
      document.querySelector<HTMLElement>("main button")?.focus();
      await Promise.resolve();
      const isGone = document.querySelector("[role=tooltip]") === null;
      link.focus();
      return isGone;
    });
    expect(hid).toBe(true);
    await tooltip.waitFor();
    await page.clock.resume();
    await expectAccessible(page, "the tooltip shown");
    await page.keyboard.press("Escape");
    await tooltip.waitFor({ state: "detached" });
    await page.getByRole("main").getByRole("button").first().focus();
    await chat.hover();
    await tooltip.waitFor();
    await page.keyboard.press("Escape");
    await tooltip.waitFor({ state: "detached" });
  });
});

test("an unknown address is a 404 page with a way home", async ({ open, problems }) => {
  const page = await open("/no-such-page");
  expect(await page.title()).toContain("404 Page Not Found");
  await page.getByText("Did you forget to add the page to the router?").waitFor();
  await expect.poll(() => problems).toEqual([expect.stringContaining("404 (Not Found)")]);
  forgetRefused(problems, "404 (Not Found)");
  await expectAccessible(page, "the 404 page");
  await press(page, page.getByRole("link", { name: "Back to the home page" }));
  await expectFocus(page.getByRole("heading", { level: 1, name: /Championship/ }));
});
