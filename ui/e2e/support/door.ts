import encodeQR from "qr";
import type { Page } from "playwright-core";
import { askAsOrganiser } from "./admin";
import type { Showcase } from "./showcase";

const [width, height] = [640, 480];

/** Adds a guest and returns the ticket. */
export function addGuest(showcase: Showcase, name: string, more: { note?: string; business?: string; email?: string } = {}): Promise<{ id: number; code: string }> {
  return askAsOrganiser(showcase, "POST", "/api/tickets", { name, role: "guest", ...more });
}

/** Makes a door device and returns the path that its code leads to. */
export async function doorPath(showcase: Showcase, name: string): Promise<string> {
  const { url } = await askAsOrganiser<{ url: string }>(showcase, "POST", "/api/door/devices", { name });
  const { pathname, hash } = new URL(url);
  return pathname + hash;
}

/** The squares of a code, dark ones true. */
function squares(text: string): boolean[][] {
  return encodeQR(text, "raw", { border: 4 });
}

/** What Chromium shows as its camera's picture: a code in the middle of a grey one (YUV4MPEG2). */
export function cameraFile(text: string): Buffer {
  const code = squares(text);
  const scale = Math.floor(300 / code.length);
  const [left, top] = [Math.floor((width - code.length * scale) / 2), Math.floor((height - code.length * scale) / 2)];
  const light = Buffer.alloc(width * height, 110);
  for (const [y, row] of code.entries()) {
    for (const [x, isDark] of row.entries()) {
      for (let line = 0; line < scale; line += 1) light.fill(isDark ? 30 : 220, (top + y * scale + line) * width + left + x * scale, (top + y * scale + line) * width + left + (x + 1) * scale);
    }
  }
  const frame = Buffer.concat([Buffer.from("FRAME\n"), light, Buffer.alloc(width * height / 2, 128)]);
  return Buffer.concat([Buffer.from(`YUV4MPEG2 W${width} H${height} F10:1 Ip C420jpeg\n`), frame, frame]);
}

/** Gives a page a camera that shows what `showToCamera` is given: one browser has one file for its own. */
export async function withCamera(page: Page): Promise<void> {
  await page.addInitScript(([width, height]) => {
    const canvas = Object.assign(document.createElement("canvas"), { width, height });
    const context = canvas.getContext("2d")!;
    const draw = (code: boolean[][]) => {
      context.fillStyle = "#888";
      context.fillRect(0, 0, width!, height!);
      // Two pixels for each square of the largest code.
      const scale = Math.floor(390 / Math.max(1, code.length));
      for (const [y, row] of code.entries()) {
        for (const [x, isDark] of row.entries()) {
          context.fillStyle = isDark ? "#222" : "#ddd";
          context.fillRect(160 + x * scale, 80 + y * scale, scale, scale);
        }
      }
    };
    draw([]);
    Object.assign(globalThis, { showToCamera: draw });
    // Some pictures a second, also of a canvas that does not change.
    setInterval(() => context.fillRect(0, 0, 1, 1), 50);
    navigator.mediaDevices.getUserMedia = async () => canvas.captureStream(20);
  }, [width, height]);
}

/** Holds a code before the camera of `withCamera`; without one, nothing. */
export async function showToCamera(page: Page, text?: string): Promise<void> {
  await page.evaluate((code) => (globalThis as unknown as { showToCamera: (code: boolean[][]) => void }).showToCamera(code), text === undefined ? [] : squares(text));
}
