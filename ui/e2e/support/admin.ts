import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import type { Showcase } from "./showcase";
import { adminPassword } from "./showcase";

/** The cookie of somebody who has signed in, for a new browser context. */
export async function signedIn({ origin }: Showcase, credentials: { username?: string; password: string } = { password: adminPassword }): Promise<NonNullable<Parameters<Browser["newContext"]>[0]>["storageState"]> {
  const reply = await fetch(`${origin}/api/admin/session`, {
    method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(credentials),
  });
  const [pair = ""] = (reply.headers.get("set-cookie") ?? "").split(";");
  const [name = "", value = ""] = pair.split("=");
  const cookie = { name, value, domain: new URL(origin).hostname, path: "/", expires: -1, httpOnly: true, secure: false, sameSite: "Strict" as const };
  return { cookies: [cookie], origins: [] };
}

type Open = (path: string, options?: BrowserContextOptions & { prepare?: (page: Page) => Promise<void> }) => Promise<Page>;

/** Opens one of the organiser's pages, signed in. */
export async function openAdmin(open: Open, showcase: Showcase, path: string, options: Parameters<Open>[1] = {}): Promise<Page> {
  return open(path, { ...options, storageState: await signedIn(showcase) });
}

/** A second organiser's request, from another browser. */
export async function changeElsewhere(showcase: Showcase, method: string, path: string, body: object): Promise<void> {
  const state = await signedIn(showcase);
  const cookie = state && typeof state === "object" ? state.cookies.map(({ name, value }) => `${name}=${value}`).join("; ") : "";
  const reply = await fetch(`${showcase.origin}${path}`, { method, headers: { "content-type": "application/json", cookie }, body: JSON.stringify(body) });
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
}

/** Somebody fills in a form. */
export async function register({ origin }: Showcase, kind: string, body: object): Promise<void> {
  const reply = await fetch(`${origin}/api/${kind}`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
  if (reply.status !== 201) throw new Error(`${kind}: ${reply.status} ${await reply.text()}`);
}

/** From now on answers requests to one address of the API with the given status and JSON. */
export async function answer(page: Page, path: string, status: number, body?: object): Promise<{ asked: string[] }> {
  const asked: string[] = [];
  await page.route((url) => url.pathname === path, async (route) => {
    asked.push(route.request().postData() ?? "");
    const type = status >= 400 ? "application/problem+json" : "application/json";
    await route.fulfill({ status, contentType: type, body: body === undefined ? "" : JSON.stringify(body) });
  });
  return { asked };
}

/** Holds the requests to one address until the returned function is called. */
export async function hold(page: Page, path: string): Promise<() => void> {
  let release = () => {};
  const held = new Promise<void>((settle) => (release = settle));
  await page.route((url) => url.pathname === path, async (route) => {
    await held;
    await route.fallback();
  });
  return release;
}

/** Removes the browser's own console messages about the failed requests that a test provoked. */
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
