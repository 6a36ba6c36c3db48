import { describe } from "vitest";
import { desktop, goTo, live, phone, reload, settled } from "./support/browser";
import { answer, openAdmin, register } from "./support/admin";
import { expectFocus, press, tabTo } from "./support/keyboard";
import { expect, test } from "./support/test";

const finding = { id: 7, foundAt: "2026-03-01T15:00:00.000Z", stripePaymentIntentId: "pi_7", problem: "second_payment", entryId: 3, amount: 44900, currency: "usd", settledAt: null, settledBy: null, note: null };
const entry = { id: 3, createdAt: "2026-03-01T15:00:00.000Z", status: "new", name: "Cleo Sample", email: "cleo@example.com", paymentAmount: 48492, refundedAmount: 0, paymentStatus: "paid", history: [], mails: [] };
const mail = {
  id: 5, kind: "waitlist-signups", registrationId: 3, recipient: "cleo@example.com", subject: "You are on the list", state: "waiting", createdAt: "2026-03-01T15:00:00.000Z",
  dueAt: "2026-03-01T16:00:00.000Z", sentAt: null, attempts: 1, lastError: null, text: "Hello", attachments: [], isTrimmed: false,
};

describe("after what was pressed is gone, the focus is", () => {
  test("on the refund's heading: asked for, and left", async ({ showcase, open }) => {
    const page = await openAdmin(open, showcase, "/export-data/competition-entries?id=3", { answers: { "/api/competition-entries/3": entry } });
    await page.getByLabel("Another amount").check();
    await page.getByLabel("Amount in dollars").fill("99");
    await page.getByLabel(/^Reason/).fill("Cannot travel");
    await press(page, page.getByRole("button", { name: "Refund…" }));
    await expectFocus(page.getByRole("heading", { name: "Refund" }));
    await press(page, page.getByRole("button", { name: "Cancel" }));
    await expectFocus(page.getByRole("heading", { name: "Refund" }));
    await answer(page, "/api/competition-entries/3/refund", 200, entry);
    await answer(page, "/api/competition-entries/3", 200, { ...entry, refundedAmount: 48492, paymentStatus: "refunded" });
    await press(page, page.getByRole("button", { name: "Refund…" }));
    await press(page, page.getByRole("button", { name: "Refund $99.00" }));
    await page.getByText("The whole payment of $484.92 has been refunded.").waitFor();
    await expectFocus(page.getByRole("heading", { name: "Refund" }));
  });

  test("on the pager's place in the list, on its last page", async ({ showcase, open }) => {
    const items = Array.from({ length: 50 }, (_, id) => ({ ...mail, id: id + 1 }));
    const page = await openAdmin(open, showcase, "/export-data/outbox", { answers: { "/api/outbox": { items, total: 60, counts: { waiting: 60, sent: 0, failed: 0, discarded: 0 } } } });
    await page.getByRole("link", { name: "Next" }).focus();
    await page.keyboard.press("Enter");
    await expectFocus(page.getByText("Page 2 of 2"));
    await page.keyboard.press("Shift+Tab");
    await expectFocus(page.getByRole("link", { name: "Previous" }));
  });

  test("on the title of the page whose only payment was resolved", async ({ showcase, open }) => {
    const page = await openAdmin(open, showcase, "/export-data/payments", { answers: { "/api/payment-findings": { items: [finding] } } });
    await answer(page, "/api/payment-findings/7/settle", 200, finding);
    await tabTo(page, page.getByRole("button", { name: "Mark as resolved" }));
    await answer(page, "/api/payment-findings", 200, { items: [] });
    await page.keyboard.press("Enter");
    await expectFocus(page.getByRole("heading", { level: 1, name: "Payments" }));
  });

  test("on the title of the mail that was discarded", async ({ showcase, open }) => {
    const page = await openAdmin(open, showcase, "/export-data/outbox?id=5", { answers: { "/api/outbox/5": mail, "/api/outbox/5/html": {} } });
    await answer(page, "/api/outbox/5/discard", 200, {});
    await press(page, page.getByRole("button", { name: "Discard…" }));
    await tabTo(page, page.getByRole("dialog").getByRole("button", { name: "Discard" }));
    await answer(page, "/api/outbox/5", 200, { ...mail, state: "discarded" });
    await page.keyboard.press("Enter");
    await expectFocus(page.getByRole("heading", { level: 1, name: mail.subject }));
  });

  test("on the heading of the form that is to be closed, also when it stays open", async ({ showcase, open }) => {
    const page = await openAdmin(open, showcase, "/export-data/forms");
    const card = page.getByRole("region", { name: "Judge applications" });
    const heading = card.getByRole("heading");
    await press(page, card.getByRole("button", { name: "Close…" }));
    await expectFocus(heading);
    await page.keyboard.press("Tab");
    await expectFocus(card.getByLabel(/^What visitors read/));
    await press(page, card.getByRole("button", { name: "Cancel" }));
    await expectFocus(heading);
  });

  test("on the heading above the account that was removed", async ({ showcase, open }) => {
    const account = { username: "ines", createdAt: finding.foundAt, passwordChangedAt: finding.foundAt, lastSeenAt: null };
    const page = await openAdmin(open, showcase, "/export-data/access", { answers: { "/api/admin/accounts": { items: [account] } } });
    const remove = page.getByRole("button", { name: "Remove ines" });
    await press(page, remove);
    const really = page.getByRole("button", { name: "Really remove ines" });
    await expectFocus(really);
    await answer(page, "/api/admin/accounts/ines", 200, {});
    await answer(page, "/api/admin/accounts", 200, { items: [] });
    await page.keyboard.press("Enter");
    await expectFocus(page.getByRole("heading", { name: "Accounts" }));
  });

  test("on the heading of the emails when a correction is left", async ({ showcase, open }) => {
    const page = await openAdmin(open, showcase, "/export-data/competition-entries?id=3", { answers: { "/api/competition-entries/3": entry } });
    const mails = page.getByRole("region", { name: "Emails" });
    await press(page, mails.getByRole("button", { name: /^Correct the address/ }));
    await expectFocus(mails.getByLabel("Correct email address"));
    await press(page, mails.getByRole("button", { name: "Cancel" }));
    await expectFocus(mails.getByRole("heading"));
  });

  test("on the title of what was read at the second try, and of a list that is shown whole again", async ({ showcase, open }) => {
    await register(showcase, "waitlist-signups", { name: "Ada Sample", email: "ada@example.com" });
    const page = await openAdmin(open, showcase, "/export-data/waitlist-signups", { prepare: async (fresh) => void (await answer(fresh, "/api/waitlist-signups", 503, { detail: "Busy." })) });
    await tabTo(page, page.getByRole("button", { name: "Try again" }));
    await page.unrouteAll();
    await page.keyboard.press("Enter");
    await expectFocus(page.getByRole("heading", { level: 1 }));
    await goTo(page, "/export-data/waitlist-signups?search=nobody-of-this-name");
    await press(page, page.getByRole("link", { name: "Show all waitlist signups" }));
    await expectFocus(page.getByRole("heading", { level: 1 }));
  });
});

describe("public pages", () => {
  test("keep a tooltip while the pointer goes to it, and do not say a name twice", async ({ open }) => {
    const page = await open("/faq");
    const button = page.getByRole("link", { name: /WhatsApp/ }).last();
    await button.hover();
    const tooltip = page.getByRole("tooltip");
    await tooltip.waitFor();
    expect(await button.getAttribute("aria-describedby")).toBe(null);
    const [from, to] = [(await button.boundingBox())!, (await tooltip.boundingBox())!];
    const y = from.y + from.height / 2;
    for (let x = from.x + 2; x > to.x + to.width / 2; x -= 2) await page.mouse.move(x, y);
    await settled(page);
    expect(await tooltip.isVisible()).toBe(true);
  });

  test("show every mark and ring with a contrast of 3 to 1", async ({ open }) => {
    const page = await open("/");
    const dots = await page.locator(".dot:not([aria-current=true])").evaluateAll((all) => all.map((dot) => {
      const style = getComputedStyle(dot, "::after");
      const ground = dot.closest<HTMLElement>(".dark, .tint")!;
      return [style.backgroundColor, style.opacity, getComputedStyle(ground).backgroundColor];
    }));
    expect(dots.length).toBeGreaterThan(4);
    for (const [mark = "", opacity, ground = ""] of dots) {
      expect(opacity).toBe("1");
      expect(contrast(mark, ground)).toBeGreaterThanOrEqual(3);
    }
    await page.keyboard.press("Tab");
    const rings = await page.locator(".chat-button").evaluate((button) => {
      (button as HTMLElement).focus({ focusVisible: true } as FocusOptions);
      const { outlineColor, boxShadow } = getComputedStyle(button);
      return [outlineColor, /rgb\([^)]*\)/.exec(boxShadow)?.[0] ?? ""];
    });
    for (const ground of ["rgb(251, 246, 239)", "rgb(42, 21, 36)"]) {
      expect(Math.max(...rings.map((ring) => contrast(ring, ground))), ground).toBeGreaterThanOrEqual(3);
    }
  });

  test("have carousels whose button comes first and tells the truth, with any number of slides", async ({ open }) => {
    const page = await open("/", { reducedMotion: "reduce" });
    for (const name of ["Competition Categories", "Inside the Showcase"]) {
      const area = page.locator("[aria-roledescription=carousel]").filter({ has: page.getByRole("heading", { name }) }).last();
      const controls = area.getByRole("group", { name });
      await expect.poll(() => controls.getByRole("button").first().innerText()).toBe("Play");
      const slides = area.locator("[aria-roledescription=slide]");
      expect(await slides.first().getAttribute("aria-label")).toBe(`1 of ${await slides.count()}`);
      expect(await slides.first().getAttribute("role")).toBe("group");
    }
    const list = page.locator(".slides");
    const controls = page.getByRole("group", { name: "Inside the Showcase" });
    await controls.getByRole("button").last().press("Enter");
    const leftOf = (slide: "first" | "last") => list.locator(".slide")[slide]().evaluate((element) => element.getBoundingClientRect().left);
    const start = await page.getByRole("heading", { name: "Inside the Showcase" }).evaluate((heading) => heading.getBoundingClientRect().left);
    await expect.poll(() => leftOf("last")).toBeCloseTo(start, 0);
    // The slides can be scrolled by keyboard, and the dots show the current slide.
    await list.focus();
    await page.keyboard.press("ArrowLeft");
    await expect.poll(() => controls.locator("[aria-current=true]").getAttribute("aria-label")).not.toBe(await controls.getByRole("button").last().getAttribute("aria-label"));
  });

  test("play again when asked to, although the focus is still on the button", async ({ open }) => {
    const page = await open("/", { reducedMotion: "no-preference", prepare: (fresh) => fresh.clock.install() });
    await page.clock.pauseAt(new Date(Date.now() + 3_600_000));
    const area = page.locator("[aria-roledescription=carousel]").first();
    const shown = () => area.locator("[aria-current=true]").getAttribute("aria-label");
    const pause = area.getByRole("button", { name: "Pause" });
    await pause.focus();
    await page.keyboard.press("Enter");
    await area.getByRole("button", { name: "Play" }).waitFor();
    await page.keyboard.press("Enter");
    await pause.waitFor();
    await settled(page);
    const before = await shown();
    await page.clock.runFor(4_100);
    await expect.poll(shown).not.toBe(before);
  });

  test("name the errors of a form first: in the title, and in an alert inside what has the focus", async ({ open }) => {
    const page = await open("/apply-judge");
    const title = await page.title();
    await press(page, page.getByRole("button", { name: /Submit/ }));
    const summary = page.locator(".error-summary");
    await expectFocus(summary);
    expect(await summary.getAttribute("role")).not.toBe("alert");
    await summary.getByRole("alert").waitFor();
    expect(await page.title()).toBe(`Error: ${title}`);
    await goTo(page, "/faq");
    expect(await page.title()).not.toContain("Error");
  });

  test("say by a status that what was typed is back, and go on from there by keyboard", async ({ open }) => {
    const page = await open("/apply-judge");
    await page.getByRole("textbox", { name: "Full name" }).fill("Ada Sample");
    await reload(page);
    const notice = page.getByRole("status").filter({ hasText: "We kept what you typed last time" });
    await press(page, notice.getByRole("button", { name: "Continue" }));
    await expectFocus(page.getByRole("textbox", { name: "Full name" }));
    expect(await notice.count()).toBe(0);
    expect(await page.getByRole("textbox", { name: "Full name" }).inputValue()).toBe("Ada Sample");
  });

  test("say above the button of a form that it was not sent, until it is sent by keyboard", async ({ open, problems }) => {
    const page = await open("/#waitlist", { prepare: async (fresh) => void (await fresh.route("**/api/waitlist-signups", (route) => route.abort(), { times: 1 })) });
    const form = page.getByRole("form", { name: "Waitlist signup" });
    const button = form.getByRole("button", { name: "Join the waitlist" });
    await expect.poll(() => button.isEnabled()).toBe(true);
    await form.getByRole("textbox", { name: "Full name" }).fill("Ana");
    await form.getByRole("textbox", { name: "Email" }).fill("ana@example.com");
    await press(page, button);
    await page.getByRole("alert").getByText("You are not on the waitlist yet").waitFor();
    const notSent = form.getByText("Not sent.");
    await notSent.waitFor();
    expect((await notSent.boundingBox())!.y).toBeLessThan((await button.boundingBox())!.y);
    await expectFocus(button);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "You are on the list" }).waitFor();
    problems.length = 0;
  });

  test("open a question that the browser's own search finds, or that a link leads to", async ({ open }) => {
    const page = await open("/faq");
    const button = page.getByRole("button", { name: "Day-of-Event" });
    const body = page.locator(`#${escaped(await button.getAttribute("aria-controls"))}`);
    await expect.poll(() => body.getAttribute("hidden")).toBe("until-found");
    await body.dispatchEvent("beforematch");
    await expect.poll(() => button.getAttribute("aria-expanded")).toBe("true");
    const section = await page.locator(".fold").nth(1).getAttribute("id");
    await goTo(page, "/about");
    await page.goto(`/faq#${section}`);
    await live(page);
    await expect.poll(() => page.locator(".fold").nth(1).getByRole("button").getAttribute("aria-expanded")).toBe("true");
  });
});

test("marks of what is done and sorted have a colour of the system in forced colors", async ({ showcase, open }) => {
  await register(showcase, "waitlist-signups", { name: "Bea Example", email: "bea@example.com" });
  const page = await openAdmin(open, showcase, "/export-data/waitlist-signups", { forcedColors: "active" });
  const arrow = page.locator(".sort[data-direction]");
  await arrow.waitFor();
  const [mark, ground, clip] = await arrow.evaluate((link) => [getComputedStyle(link, "::after").backgroundColor, getComputedStyle(document.body).backgroundColor, getComputedStyle(link, "::after").clipPath]);
  expect(mark).not.toBe(ground);
  expect(clip).toContain("polygon");
});

test.for([desktop, phone, { width: 320, height: 640 }])("a backup's file name is shown at $width px", async (viewport, { showcase, open }) => {
  const backup = { name: "showcase-20260301T150000Z.db", at: "2026-03-01T15:00:00.000Z", bytes: 2048 };
  const page = await openAdmin(open, showcase, "/export-data/backups", { viewport, answers: { "/api/backups": { items: [backup], everyHours: 24, keep: 7, folder: "backups", freeBytes: null } } });
  const names = page.getByText(backup.name);
  await page.getByRole("table").waitFor();
  expect((await Promise.all((await names.all()).map((name) => name.isVisible()))).filter(Boolean)).toEqual([true]);
});

function escaped(id: string | null): string {
  return (id ?? "").replace(/[^\w-]/g, (sign) => `\\${sign}`);
}

/** WCAG's contrast of two colours. */
function contrast(one: string, other: string): number {
  const luminance = (colour: string) => {
    const parts = (colour.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number).map((value) => value / 255).map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
    const [red = 0, green = 0, blue = 0] = parts;
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

