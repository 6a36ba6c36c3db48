/** Takes every page as a picture at three widths: npm run pictures -- FOLDER [PATH...] */
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { launch, visit } from "./support/browser";
import { publicPages, unknownPage } from "./support/pages";
import { Showcase } from "./support/showcase";

const widths = { 390: 844, 820: 1180, 1440: 900 };
const [folder, ...only] = process.argv.slice(2);

if (!folder) {
  console.error("Say where the pictures go: npm run pictures -- FOLDER [PATH...]");
  process.exit(2);
}

const showcase = new Showcase();
await showcase.start();
const browser = await launch();
try {
  await mkdir(folder, { recursive: true });
  for (const [width, height] of Object.entries(widths)) await takeAll(Number(width), height);
} finally {
  await browser.close();
  await showcase.end();
}

async function takeAll(width: number, height: number): Promise<void> {
  const { page, close } = await visit(browser, showcase.origin, { viewport: { width, height } }, []);
  for (const address of only.length > 0 ? only : [...publicPages, unknownPage]) {
    await page.goto(address);
    await page.evaluate(() => document.fonts.ready);
    // A lazy image loads only when it comes near the window.
    await page.locator("img").evaluateAll((images: HTMLImageElement[]) => Promise.all(images.map((image) => {
      image.loading = "eager";
      return image.decode().catch(() => {});
    })));
    const name = address === "/" ? "home" : address.slice(1);
    await page.screenshot({ path: path.join(folder ?? "", `${name}-${width}.png`), fullPage: true });
  }
  await close();
}
