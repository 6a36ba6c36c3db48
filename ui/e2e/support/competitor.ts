import type { Page } from "playwright-core";
import { vi } from "vitest";
import { askAsOrganiser, register } from "./admin";
import { heading, timeout } from "./browser";
import { expectFocus } from "./keyboard";
import type { Showcase } from "./showcase";

export const entry = {
  name: "Ada Sample", email: "ada@example.com", phone: "+1 201-555-0101", businessName: "Sample Studio", location: "Jersey City, NJ",
  taxLocation: "new-york", primaryCategory: "lash-extensions", subCategory: "Volume", additionalCategories: 0,
  agreementTerms: true, agreementMedia: true,
};

/** Stores an entry from an address and makes it complimentary, so that it has a nomination. */
export async function enter(showcase: Showcase, email: string): Promise<void> {
  await register(showcase, "competition-entries", { ...entry, email });
  const { items: [first] } = await askAsOrganiser<{ items: { id: number }[] }>(showcase, "GET", `/api/competition-entries?search=${encodeURIComponent(email)}`);
  await askAsOrganiser(showcase, "POST", `/api/competition-entries/${first?.id}/complimentary`, { reason: "A test" });
}

/** Asks the portal for an email to this address; returns the address that its link leads to, and its code. */
export async function askForLink(page: Page, showcase: Showcase, email: string): Promise<{ link: string; code: string }> {
  await page.getByLabel("Email address").fill(email);
  await page.getByRole("button", { name: "Email me a link" }).click();
  await expectFocus(heading(page, "Check your email"));
  const { url, code } = await vi.waitUntil(() => showcase.makeSignInLink(email), { timeout });
  return { link: `/artist-portal${new URL(url).hash}`, code };
}
