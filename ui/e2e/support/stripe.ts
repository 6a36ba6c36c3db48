import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { BrowserContext, FrameLocator, Page } from "playwright-core";
import { start } from "../../../tests/stripe/stand-in.mjs";
import { Showcase } from "./showcase";

export type StandIn = Awaited<ReturnType<typeof start>>;

const read = (name: string) => readFileSync(new URL(name, import.meta.url), "utf8");
const installed = readFileSync(createRequire(import.meta.url).resolve("@stripe/stripe-js/package.json").replace("package.json", "dist/pure.mjs"), "utf8");
const constant = (name: string) => {
  const value = new RegExp(`${name} = '([^']+)'`).exec(installed)?.[1];
  if (!value) throw new Error(`@stripe/stripe-js names no ${name} any more`);
  return value;
};
const release = constant("RELEASE_TRAIN");

/** Where the installed loader fetches Stripe.js from. */
export const scriptAddress = `${constant("ORIGIN")}/${release}/stripe.js`;
const script = read("./stripe-js.js").replace("RELEASE", release);

/** Whom the payment step may ask, as its content policy says. */
export const stripeOrigins = ["https://js.stripe.com/", "https://api.stripe.com/"];

export const cards = { good: "4242 4242 4242 4242", declined: "4000 0000 0000 0002", redirecting: "4000 0025 0000 3155", slow: "4000 0000 0000 0077" };

/** Answers what the page asks of Stripe; `asked` lists it. */
export async function standInForStripe(pages: Page | BrowserContext, standIn: StandIn): Promise<{ asked: string[] }> {
  const asked: string[] = [];
  const cors = { "access-control-allow-origin": "*", "access-control-allow-headers": "*" };
  await pages.route("https://js.stripe.com/**", async (route) => {
    const address = route.request().url();
    asked.push(address);
    if (address === scriptAddress) await route.fulfill({ contentType: "text/javascript", body: script });
    else if (address.includes("/elements-inner-")) await route.fulfill({ contentType: "text/html", body: read("./stripe-frame.html") });
    else await route.fulfill({ status: 404 });
  });
  await pages.route("https://api.stripe.com/**", async (route) => {
    const request = route.request();
    const { pathname } = new URL(request.url());
    asked.push(request.url());
    if (request.method() === "OPTIONS") return route.fulfill({ status: 204, headers: cors });
    const body = request.postData();
    const reply = await fetch(standIn.origin + pathname, { method: request.method(), headers: { "content-type": "application/json" }, ...(body && { body }) });
    await route.fulfill({ status: reply.status, headers: cors, contentType: "application/json", body: await reply.text() });
  });
  return { asked };
}

/** The field in Stripe's frame. */
export function cardFrame(page: Page): FrameLocator {
  return page.frameLocator("iframe[title='Secure payment input frame']");
}

/** The program with a stand-in of Stripe behind it. */
export async function startWithStripe(): Promise<{ showcase: Showcase; standIn: StandIn }> {
  const standIn = await start();
  const { origin, secretKey, publishableKey, webhookSecret } = standIn;
  const showcase = new Showcase({ environment: {
    SHOWCASE_STRIPE_SECRET_KEY: secretKey, SHOWCASE_STRIPE_PUBLISHABLE_KEY: publishableKey,
    SHOWCASE_STRIPE_WEBHOOK_SECRET: webhookSecret, SHOWCASE_STRIPE_API_BASE: origin,
  } });
  await showcase.start();
  return { showcase, standIn };
}
