import type { Page } from "playwright-core";
import { describe } from "vitest";
import { askAsOrganiser, cookieOf } from "./support/admin";
import { phone, shifted, watchShifts } from "./support/browser";
import { photo } from "./support/photo";
import type { Showcase } from "./support/showcase";
import { expect, test, type Open } from "./support/test";

/** The places that the home page shows photos in: its start, the nine slides and the ceremony. addPhotos adds a judge's. */
const places = ["home.hero.image", ...Array.from({ length: 9 }, (_, index) => `home.slideshow.slides[${index}].image`), "home.recognition.image"];

interface Cost {
  /** In bytes, without photos. */
  script: number;
  others: number;
  shift: number;
}

/** What the home page loads before anything happens, and how much moves while it is read to its end. */
async function costOf(open: Open): Promise<{ cost: Cost; page: Page }> {
  const loaded: { type: string; size: Promise<number> }[] = [];
  const page = await open("/", { viewport: phone, reducedMotion: "no-preference", prepare: async (fresh) => {
    fresh.on("requestfinished", (request) => void loaded.push({ type: request.resourceType(), size: request.sizes().then(({ responseBodySize }) => responseBodySize) }));
    await fresh.addInitScript(watchShifts);
  } });
  await page.waitForLoadState("networkidle");
  const sum = async (isMine: (type: string) => boolean) => (await Promise.all(loaded.filter(({ type }) => isMine(type)).map(({ size }) => size))).reduce((all, one) => all + one, 0);
  const cost = { script: await sum((type) => type === "script"), others: await sum((type) => type !== "script" && type !== "image"), shift: 0 };
  // To the end, by steps, as somebody reads: every photo is shown once.
  for (const image of await page.locator("main img").all()) {
    await image.scrollIntoViewIfNeeded();
    await image.evaluate((element: HTMLImageElement) => element.decode());
  }
  cost.shift = await shifted(page);
  return { cost, page };
}

async function addPhotos(showcase: Showcase, bytes: Buffer): Promise<void> {
  const cookie = await cookieOf(showcase);
  const reply = await fetch(`${showcase.origin}/api/content/images?name=photo&alt=A+photo&focus=50,50`, { method: "POST", headers: { cookie, "content-type": "image/jpeg" }, body: new Uint8Array(bytes) });
  if (reply.status !== 201) throw new Error(await reply.text());
  const draft = await askAsOrganiser<{ content: { people: { groups: { type: string }[] } } }>(showcase, "GET", "/api/content/draft");
  const judges = draft.content.people.groups.findIndex(({ type }) => type === "judge");
  const judge = `people.groups[${judges}].profiles[0]`;
  await askAsOrganiser(showcase, "PATCH", "/api/content/draft", { changes: [
    ...[...places, `${judge}.image`].map((path) => ({ path, value: "photo" })),
    { path: "home.recognition.alt", value: "The ceremony" }, { path: `${judge}.comingSoon`, value: false },
  ] });
  await askAsOrganiser(showcase, "POST", "/api/content/draft/publish", { note: "" });
}

describe("twelve photos on the home page", () => {
  test("cost no script and move nothing, and wait until somebody comes near", async ({ showcase, open }) => {
    const before = await costOf(open);
    const bytes = await photo(before.page);
    await addPhotos(showcase, bytes);
    await expect.poll(async () => (await (await fetch(`${showcase.origin}/`)).text()).match(/<img [^>]*srcset=/gi)?.length).toBe(12);

    const { cost, page } = await costOf(open);
    expect(cost.script, "script").toBe(before.cost.script);
    expect(cost.others - before.cost.others, "HTML, styles and fonts").toBeLessThan(2_000);
    expect(cost.shift).toBeLessThanOrEqual(Math.max(before.cost.shift, 0.005));
    const images = await page.locator("main img[srcset]").evaluateAll((all) => all.map((image) => {
      const { srcset, sizes, loading, fetchPriority, complete, naturalWidth } = image as HTMLImageElement;
      return { widths: srcset.split(",").length, sizes, loading, isFirst: fetchPriority === "high", hasSize: image.hasAttribute("width") && image.hasAttribute("height"), isShown: complete && naturalWidth > 0 };
    }));
    expect(images.length).toBe(12);
    expect(images.every(({ widths, sizes, hasSize, isShown }) => widths > 1 && sizes !== "" && hasSize && isShown)).toBe(true);
    expect(images.filter(({ isFirst }) => isFirst).length, "the photo at the start comes first").toBe(1);
    expect(images.filter(({ loading }) => loading !== "lazy").length, "all others wait").toBe(1);
  });
});
