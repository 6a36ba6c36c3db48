import type { Page } from "playwright-core";

/** A photo with visible content. */
export async function photo(page: Page): Promise<Buffer> {
  const encoded = await page.evaluate(() => {
    const canvas = document.createElement("canvas");
    canvas.width = 1600;
    canvas.height = 1200;
    const context = canvas.getContext("2d")!;
    const fill = context.createLinearGradient(0, 0, 1600, 1200);
    fill.addColorStop(0, "#ecd3cc");
    fill.addColorStop(1, "#a93a55");
    context.fillStyle = fill;
    context.fillRect(0, 0, 1600, 1200);
    return canvas.toDataURL("image/jpeg", 0.9).split(",")[1] ?? "";
  });
  return Buffer.from(encoded, "base64");
}
