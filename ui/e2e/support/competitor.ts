import { expect } from "vitest";
import { register, signedIn } from "./admin";
import type { Showcase } from "./showcase";

export const entry = {
  name: "Ada Sample", email: "ada@example.com", phone: "+1 201-555-0101", businessName: "Sample Studio", location: "Jersey City, NJ",
  taxLocation: "new-york", primaryCategory: "lash-extensions", subCategory: "Volume", additionalCategories: 0,
  agreementTerms: true, agreementMedia: true, paymentAmount: 47706,
};

/** Stores an entry from an address and makes it complimentary, so that it has a nomination. */
export async function enter(showcase: Showcase, email: string): Promise<void> {
  await register(showcase, "competition-entries", { ...entry, email });
  const session = await signedIn(showcase);
  const cookie = session && typeof session === "object" ? session.cookies.map(({ name, value }) => `${name}=${value}`).join("; ") : "";
  const list = await fetch(`${showcase.origin}/api/competition-entries?search=${encodeURIComponent(email)}`, { headers: { cookie } });
  const { items: [first] } = (await list.json()) as { items: { id: number }[] };
  const reply = await fetch(`${showcase.origin}/api/competition-entries/${first?.id}/complimentary`, {
    method: "POST", headers: { "content-type": "application/json", cookie }, body: JSON.stringify({ reason: "A test" }),
  });
  expect(reply.status).toBe(200);
}
