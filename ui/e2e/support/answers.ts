import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { hasFocus, tabTo } from "./keyboard";

/** How a test answers a field, and the value that it expects in the export. */
export interface Answer {
  /** The field's column in the export. */
  field: string;
  label: string;
  type: "text" | "list" | "radio" | "tick";
  /** The text to type, or the label of the option to choose. */
  says: string;
  stored: string;
}

export const text = (field: string, label: string, says: string, stored = says): Answer => ({ field, label, type: "text", says, stored });
export const list = (field: string, label: string, says: string, stored: string): Answer => ({ field, label, type: "list", says, stored });
export const radio = (field: string, label: string, says: string, stored: string): Answer => ({ field, label, type: "radio", says, stored });
export const tick = (field: string, label: string, stored = "true"): Answer => ({ field, label, type: "tick", says: "", stored });

/** Fills in the answers in the order of the form, by keyboard alone. */
export async function answerByKeyboard(page: Page, form: Locator, answers: Answer[]): Promise<void> {
  for (const answer of answers) await ways[answer.type](page, form, answer);
}

/** Fills in all answers without key presses, as a password manager does. */
export async function answerAtOnce(form: Locator, answers: Answer[]): Promise<void> {
  // A form that is sent sooner is held for review as a bot's (`LEAST_SECONDS` in src/registrations/screening.rs).
  await form.page().waitForFunction(() => performance.now() >= 200);
  for (const { type, label, says } of answers) {
    if (type === "text") await form.getByRole("textbox", { name: label }).fill(says);
    else if (type === "list") await form.getByRole("combobox", { name: label }).selectOption({ label: says });
    else if (type === "radio") await form.getByRole("group", { name: label }).getByRole("radio", { name: says }).check();
    else await form.getByRole("checkbox", { name: label }).check();
  }
}

const ways: Record<Answer["type"], (page: Page, form: Locator, answer: Answer) => Promise<void>> = {
  text: async (page, form, { label, says }) => {
    await tabTo(page, form.getByRole("textbox", { name: label }));
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.type(says);
  },
  list: async (page, form, { label, says }) => {
    const box = form.getByRole("combobox", { name: label });
    const chosen = () => box.locator("option:checked").innerText();
    await tabTo(page, box);
    // Not by typing the option's name: after a pause of a second between two keys, the browser starts a new search.
    await page.keyboard.press("Home");
    for (let presses = 0; presses < 20 && !(await chosen()).startsWith(says); presses += 1) await page.keyboard.press("ArrowDown");
    expect((await chosen()).startsWith(says), `${says} is chosen`).toBe(true);
  },
  radio: async (page, form, { label, says }) => {
    const group = form.getByRole("group", { name: label });
    const wanted = group.getByRole("radio", { name: says });
    const first = (await group.getByRole("radio", { checked: true }).count()) > 0 ? group.getByRole("radio", { checked: true }) : group.getByRole("radio").first();
    await tabTo(page, first);
    for (let presses = 0; presses < 5 && !(await hasFocus(wanted)); presses += 1) await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Space");
  },
  tick: async (page, form, { label }) => {
    const box = form.getByRole("checkbox", { name: label });
    await tabTo(page, box);
    if (!(await box.isChecked())) await page.keyboard.press("Space");
  },
};

/** The row that the export should hold for these answers. */
export function storedRow(answers: Answer[]): Record<string, string> {
  return Object.fromEntries(answers.map(({ field, stored }) => [field, stored]));
}
