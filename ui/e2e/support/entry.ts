import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { heading } from "./browser";
import { answerAtOnce, list, text, tick, type Answer } from "./answers";
import { askAsOrganiser } from "./admin";
import type { Showcase } from "./showcase";

/** In cents: an entry in one category, with the tax of New Jersey. */
export const total = 47706;

export const done = (page: Page): Locator => heading(page, "Registration Complete!");

/** An entry in one category, in the order of the form. */
export const answersOf = (email: string): Answer[] => [
  text("name", "Full name", "Ana Núñez"),
  text("email", "Email", email),
  text("phone", "Phone", "+1 (201) 555-0123"),
  text("businessName", "Business name", "Studio Uno"),
  text("location", "Location", "Jersey City, NJ"),
  list("taxLocation", "Tax location", "New Jersey", "new-jersey"),
  list("primaryCategory", "Primary category", "Brows", "brows"),
  list("subCategory", "Subcategory", "Lamination", "Lamination"),
  text("portfolio", "Portfolio or website", "example.com/ana", "https://example.com/ana"),
  tick("agreementTerms", "I agree to the Competition Terms & Refund Policy"),
  tick("agreementMedia", "I consent to the Photography & Videography Release"),
];

export const entryForm = (page: Page): Locator => page.getByRole("form", { name: "Competition entry" });
export const continueButton = (page: Page): Locator => entryForm(page).getByRole("button", { name: /^(Continue to Payment|Processing|Complete Form)/ });

/** The form, once the script is there. */
export async function readyEntry(page: Page): Promise<Locator> {
  const form = entryForm(page);
  await expect.poll(() => form.getByRole("combobox", { name: "Primary category" }).isEnabled()).toBe(true);
  return form;
}

/** Fills the form in one go, for tests that are about what comes after it. */
export async function fillEntry(page: Page, email: string): Promise<void> {
  await answerAtOnce(await readyEntry(page), answersOf(email));
}

/** From an empty form to the payment step. */
export async function goToPayment(page: Page, email: string): Promise<void> {
  await fillEntry(page, email);
  await continueButton(page).click();
  await heading(page, "Complete Your Registration").waitFor();
}

/** At the payment step: the same entry with other values at the server, as a tab with the same key would leave it. */
export async function changeBehind(page: Page, amount: number, changes: object): Promise<void> {
  const intents = "/api/create-competition-payment-intent";
  const sent = page.waitForRequest(`**${intents}`);
  await page.getByRole("button", { name: "Back to the form" }).click();
  await continueButton(page).click();
  const request = await sent;
  await heading(page, "Complete Your Registration").waitFor();
  const { entry, ...rest } = request.postDataJSON() as { entry: object };
  const headers = { "idempotency-key": request.headers()["idempotency-key"] ?? "" };
  const reply = await page.request.post(intents, { headers, data: { ...rest, amount, entry: { ...entry, ...changes } } });
  expect(reply.status(), await reply.text()).toBe(200);
}

export interface StoredEntry {
  id: number;
  email: string;
  name: string;
  paymentStatus: string;
  paymentAmount: number;
  primaryCategory: string;
  [field: string]: unknown;
}

/** The entries of a person, as the organiser sees them. They include those held for review, because a test fills in a form faster than people do. */
export async function entriesOf(showcase: Showcase, email: string): Promise<StoredEntry[]> {
  const listed = (more: string) => askAsOrganiser<{ items: StoredEntry[] }>(showcase, "GET", `/api/competition-entries?search=${encodeURIComponent(email)}${more}`);
  return [...(await listed("")).items, ...(await listed("&status=set_aside")).items];
}
