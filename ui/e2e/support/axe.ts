import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults, RunOptions } from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const rules: RunOptions = {
  runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
  resultTypes: ["violations"],
};

/** Expects that axe finds no problem in the page, after its animations have ended. */
export async function expectAccessible(page: Page, state: string, without: string[] = []): Promise<void> {
  await page.evaluate(async () => {
    const ending = document.getAnimations().filter(({ playState, effect }) => playState === "running" && Number(effect?.getComputedTiming().endTime) < Infinity);
    await Promise.allSettled(ending.map(({ finished }) => finished));
  });
  await page.evaluate(source);
  const { violations } = await page.evaluate(
    (options) => (globalThis as unknown as { axe: { run: (options: RunOptions) => Promise<AxeResults> } }).axe.run(options),
    { ...rules, rules: Object.fromEntries(without.map((rule) => [rule, { enabled: false }])) },
  );
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(" ")).join(", ")}`);
  expect(found, `axe: ${state}`).toEqual([]);
}
