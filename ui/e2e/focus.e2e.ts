import { describe } from "vitest";
import { desktop, goTo, live, phone, settled } from "./support/browser";
import { openAdmin, register } from "./support/admin";
import { expectFocus, press } from "./support/keyboard";
import { expect, test } from "./support/test";

describe("after what was pressed is gone, the focus is", () => {
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
    await button.focus();
    await page.keyboard.press("Escape");
    await tooltip.waitFor({ state: "detached" });
    await expectFocus(button);
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
  const page = await openAdmin(open, showcase, "/export-data/backups", { viewport, replies: { "/api/backups": { items: [backup], everyHours: 24, keep: 7, folder: "backups", freeBytes: null } } });
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

