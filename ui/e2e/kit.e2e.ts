import { createReadStream, mkdtempSync, rmSync } from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Page } from "playwright-core";
import { expect, test as base } from "vitest";
import { buildSheet } from "../kit-sheet/build.mjs";
import { expectAccessible } from "./support/axe";
import { desktop, launch, phone, resize, visit } from "./support/browser";
import { expectFocus, press, tabTo } from "./support/keyboard";
import { stickingOut } from "./support/sticking-out";

const types: Record<string, string> = { ".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".woff2": "font/woff2" };

/** The kit's sheet (`npm run kit`) on its own server. Every error in its page fails the test. */
const test = base.extend<{ origin: string; page: Page }>({
  origin: [async ({}, use) => {
    const folder = mkdtempSync(path.join(tmpdir(), "showcase-kit-"));
    await buildSheet(folder);
    const server = http.createServer((request, response) => {
      const file = path.join(folder, request.url === "/" ? "index.html" : path.basename(request.url ?? ""));
      response.setHeader("content-type", types[path.extname(file)] ?? "application/octet-stream");
      createReadStream(file).on("error", () => response.writeHead(404).end()).pipe(response);
    });
    await new Promise<void>((settle) => server.listen(0, "127.0.0.1", settle));
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }, { scope: "file" }],
  page: async ({ origin }, use) => {
    const problems: string[] = [];
    const browser = await launch();
    const { page } = await visit(browser, origin, {}, problems);
    await page.goto("/");
    await page.getByRole("heading", { level: 1, name: "The kit" }).waitFor();
    await use(page);
    await browser.close();
    expect(problems).toEqual([]);
  },
});

test("every state is accessible and fits, wide and narrow", async ({ page }) => {
  for (const viewport of [desktop, phone, { width: 320, height: 640 }]) {
    await resize(page, viewport);
    expect(await stickingOut(page), `${viewport.width} px`).toEqual([]);
    await expectAccessible(page, `the kit at ${viewport.width} px`);
  }
});

test("an inactive button keeps the focus, and a press does nothing", async ({ page }) => {
  const again = page.getByRole("button", { name: "Try again" }).first();
  await press(page, again);
  await page.getByRole("heading", { name: "Failed, tried again 1 times" }).waitFor();
  const saving = page.getByRole("button", { name: "Saving…" }).first();
  await page.getByRole("button", { name: "primary" }).first().focus();
  await page.keyboard.press("Tab");
  await expectFocus(saving);
  await page.keyboard.press("Enter");
  await expectFocus(saving);
  expect(await saving.getAttribute("aria-disabled")).toBe("true");
});

test("a dialog is closed by a click beside it, but not by a text selection that ends there", async ({ page }) => {
  await page.getByRole("button", { name: "Open a small dialog" }).click();
  const dialog = page.getByRole("dialog", { name: "Remove this account?" });
  await dialog.getByText("The browser keeps the focus").hover();
  await page.mouse.down();
  await page.mouse.move(5, 5, { steps: 3 });
  await page.mouse.up();
  expect(await dialog.isVisible()).toBe(true);
  await page.mouse.click(5, 5);
  await dialog.waitFor({ state: "detached" });
});

test("a tooltip describes its control while the control has the focus, until Escape", async ({ page }) => {
  const button = page.getByRole("button", { name: "With a tooltip" });
  await tabTo(page, button, 120);
  const tooltip = page.getByRole("tooltip");
  await tooltip.waitFor();
  expect(await button.getAttribute("aria-describedby")).toBe(await tooltip.getAttribute("id"));
  await expectAccessible(page, "a tooltip");
  await page.keyboard.press("Escape");
  await tooltip.waitFor({ state: "detached" });
  await expectFocus(button);
});
