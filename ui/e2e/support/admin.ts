import type { BrowserContextOptions, Page } from "playwright-core";
import { expect } from "vitest";
import { expectAccessible } from "./axe";
import { desktop, expectRefusal, phone, resize } from "./browser";
import { adminPassword, type Showcase } from "./showcase";
import type { Open, OpenOptions } from "./test";

/** The cookie of somebody who has signed in, for a new browser context. */
export async function signedIn({ origin }: Showcase, credentials: { username?: string; password: string } = { password: adminPassword }): Promise<Exclude<BrowserContextOptions["storageState"], string | undefined>> {
  const reply = await fetch(`${origin}/api/admin/session`, {
    method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(credentials),
  });
  if (!reply.ok) throw new Error(`the sign-in: ${reply.status} ${await reply.text()}`);
  const [pair = ""] = (reply.headers.get("set-cookie") ?? "").split(";");
  const [name = "", value = ""] = pair.split("=");
  const cookie = { name, value, domain: new URL(origin).hostname, path: "/", expires: -1, httpOnly: true, secure: false, sameSite: "Strict" as const };
  return { cookies: [cookie], origins: [] };
}

/** Signs in on a page whose session has ended. */
export async function signInAgain(page: Page): Promise<void> {
  await page.getByLabel("Admin password").fill(adminPassword);
  await page.keyboard.press("Enter");
}

/** Opens one of the organiser's pages, signed in. `replies` are the bodies of replies that do not come from the server, by path. */
export async function openAdmin(open: Open, showcase: Showcase, path: string, { replies = {}, prepare, ...options }: OpenOptions & { replies?: Record<string, object> } = {}): Promise<Page> {
  const prepareAll = async (page: Page) => {
    for (const [name, body] of Object.entries(replies)) await fakeReply(page, name, 200, body);
    await prepare?.(page);
  };
  return open(path, { ...options, prepare: prepareAll, storageState: await signedIn(showcase) });
}

export const toast = (page: Page, title: string) => page.getByRole("region", { name: /Notifications/ }).getByText(title, { exact: true });

/** The title and the message of the one notification that is shown. */
export async function expectToast(page: Page, title: string, message: string | RegExp): Promise<void> {
  await toast(page, title).waitFor();
  await page.getByRole("region", { name: /Notifications/ }).getByText(message, { exact: typeof message === "string" }).waitFor();
}

/** Nothing sticks out and axe finds nothing, on a phone and in a wide window. */
export async function expectFine(page: Page, name: string): Promise<void> {
  for (const viewport of [phone, desktop]) {
    await resize(page, viewport);
    expect(await page.evaluate(() => document.documentElement.scrollWidth), `${name} at ${viewport.width} px`).toBe(viewport.width);
    await expectAccessible(page, `${name} at ${viewport.width} px`);
  }
}

/** The session's cookie, for a request from outside of the browser. */
export async function cookieOf(showcase: Showcase): Promise<string> {
  const { cookies } = await signedIn(showcase);
  return cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
}

/** The session of the other organiser: hashing a password takes too long to sign in for each request. */
const otherSessions = new WeakMap<Showcase, Promise<string>>();

/** A request of another organiser. */
export async function askAsOrganiser<Reply>(showcase: Showcase, method: string, path: string, body?: object): Promise<Reply> {
  const ask = async () => {
    const session = otherSessions.get(showcase) ?? cookieOf(showcase);
    otherSessions.set(showcase, session);
    return fetch(`${showcase.origin}${path}`, { method, headers: { "content-type": "application/json", cookie: await session }, body: body && JSON.stringify(body) });
  };
  let reply = await ask();
  if (reply.status === 401) {
    // A test has ended every session.
    otherSessions.delete(showcase);
    reply = await ask();
  }
  const text = await reply.text();
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${text}`);
  return (text ? JSON.parse(text) : undefined) as Reply;
}

/** Somebody fills in a form. */
export async function register({ origin }: Showcase, kind: string, body: object): Promise<void> {
  const reply = await fetch(`${origin}/api/${kind}`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
  if (reply.status !== 201) throw new Error(`${kind}: ${reply.status} ${await reply.text()}`);
}

/** From now on answers requests to one address of the API with the given status and JSON, or so many of them. Returns their bodies and idempotency keys. */
export async function fakeReply(page: Page, path: string, status: number, body?: object, times?: number): Promise<{ asked: string[]; keys: (string | undefined)[] }> {
  const asked: string[] = [];
  const keys: (string | undefined)[] = [];
  if (status >= 400) expectRefusal(page, path);
  await page.route((url) => url.pathname === path, async (route) => {
    asked.push(route.request().postData() ?? "");
    keys.push(route.request().headers()["idempotency-key"]);
    const type = status >= 400 ? "application/problem+json" : "application/json";
    await route.fulfill({ status, contentType: type, body: body === undefined ? "" : JSON.stringify(body) });
  }, { times });
  return { asked, keys };
}

/** Holds the requests to one path, or to the addresses that match, until the returned function is called. */
export async function hold(page: Page, where: string | RegExp): Promise<() => void> {
  let release = () => {};
  const held = new Promise<void>((settle) => (release = settle));
  await page.route(typeof where === "string" ? (url) => url.pathname === where : where, async (route) => {
    await held;
    await route.fallback();
  });
  return release;
}

/** Removes the console messages about failures that a test provoked, other than those of `fakeReply`. */
export function forgetRefused(problems: string[], ...paths: string[]): void {
  const left = problems.filter((problem) => !paths.some((path) => problem.includes(path)));
  problems.splice(0, problems.length, ...left);
}

export const speaker = {
  name: "Ada Sample", email: "ada@example.com", phone: "+1 201-555-0110", company: "Sample Lash Studio",
  expertise: "lash-extensions", speakingExperience: "first-time",
  experience: "Twelve years behind the chair and six in front of a class, from basics to advanced mapping.",
  topicProposal: "Retention is a habit:\na twenty-minute talk about aftercare, honest pricing and the calendar that keeps clients.",
  termsAccepted: true, photographyConsent: true,
};
