import type { Page } from "playwright-core";

/** A photo with visible content. */
export async function photo(page: Page, width = 1600, height = 1200): Promise<Buffer> {
  const encoded = await page.evaluate((size) => {
    const canvas = Object.assign(document.createElement("canvas"), size);
    const context = canvas.getContext("2d")!;
    const fill = context.createLinearGradient(0, 0, size.width, size.height);
    fill.addColorStop(0, "#ecd3cc");
    fill.addColorStop(1, "#a93a55");
    context.fillStyle = fill;
    context.fillRect(0, 0, size.width, size.height);
    return canvas.toDataURL("image/jpeg", 0.9).split(",")[1] ?? "";
  }, { width, height });
  return Buffer.from(encoded, "base64");
}
