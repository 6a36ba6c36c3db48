/** Builds the sheet of the kit and takes it as pictures: npm run kit */
import path from "node:path";
import { pathToFileURL } from "node:url";
import { launch, visit } from "../e2e/support/browser";
import { buildSheet } from "./build.mjs";

const folder = path.resolve("kit-sheet/dist");
const sheet = await buildSheet(folder);
const browser = await launch();
try {
  for (const width of [390, 1440]) {
    const { page, close } = await visit(browser, "file://", { viewport: { width, height: 900 } }, []);
    await page.goto(pathToFileURL(sheet).href);
    await page.evaluate(() => document.fonts.ready.then(() => {}));
    await page.screenshot({ path: path.join(folder, `kit-${width}.png`), fullPage: true });
    await close();
  }
} finally {
  await browser.close();
}
console.log(`${sheet}, and kit-390.png and kit-1440.png beside it`);
