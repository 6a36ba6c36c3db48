import type { Page } from "playwright-core";
import { heading, type VisitOptions } from "./browser";
import { entriesOf } from "./entry";
import type { Showcase } from "./showcase";
import { cardFrame, standInForStripe, startWithStripe, stripeOrigins, type StandIn } from "./stripe";
import { expect, test as base } from "./test";

interface Fixtures {
  both: { showcase: Showcase; standIn: StandIn };
  showcase: Showcase;
  standIn: StandIn;
  /** A page whose requests to Stripe are answered by the stand-in; `asked` lists them. */
  openEntry: (path?: string, options?: VisitOptions) => Promise<{ page: Page; asked: string[] }>;
}

export const test = base.extend<Fixtures>({
  both: [async ({}, use) => {
    const both = await startWithStripe();
    await use(both);
    await both.showcase.end();
    await both.standIn.stop();
  }, { scope: "file" }],
  showcase: [async ({ both }, use) => use(both.showcase), { scope: "file" }],
  standIn: [async ({ both }, use) => use(both.standIn), { scope: "file" }],
  openEntry: async ({ open, standIn }, use) => use(async (path = "/enter-competition", options = {}) => {
    let asked: string[] = [];
    const prepare = async (page: Page) => {
      ({ asked } = await standInForStripe(page, standIn));
    };
    const page = await open(path, { ...options, others: [...stripeOrigins, standIn.origin], prepare });
    return { page, asked };
  }),
});

export const payButton = (page: Page) => page.getByRole("form", { name: "Payment" }).getByRole("button");
export const cardNumber = (page: Page) => cardFrame(page).getByRole("textbox", { name: "Card number" });

export async function payWith(page: Page, card: string): Promise<void> {
  await cardNumber(page).fill(card);
  await payButton(page).click();
}

/** The only payment intent of a person's entry. */
export async function intentOf(standIn: StandIn, showcase: Showcase, email: string) {
  const [entry, ...others] = await entriesOf(showcase, email);
  expect(others).toEqual([]);
  const { intents } = (await standIn.control("state")) as { intents: { id: string; status: string; amount: number; metadata: { entry_id?: string } }[] };
  const found = intents.filter(({ metadata }) => metadata.entry_id === String(entry?.id));
  expect(found).toHaveLength(1);
  return found[0]!;
}

export { expect, heading };
