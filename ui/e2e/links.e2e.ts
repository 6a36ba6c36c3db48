import type { Locator, Page } from "playwright-core";
import { describe } from "vitest";
import { goTo, live } from "./support/browser";
import { publicPages } from "./support/pages";
import { expect, test } from "./support/test";

/** Follows a link, and tells whether the document stayed (the router) or was loaded anew. */
async function followed(page: Page, link: Locator): Promise<{ to: string; by: "router" | "full load" }> {
  await page.evaluate(() => Object.assign(globalThis, { sameDocument: true }));
  const to = (await link.getAttribute("href")) ?? "";
  await link.click();
  await page.waitForURL((address) => address.pathname + address.search + address.hash === to);
  return { to, by: await page.evaluate(() => "sameDocument" in globalThis) ? "router" : "full load" };
}

describe("a visitor who follows", () => {
  test.for([
    ["/", "All-Access Pass", "/enter-competition", "full load"],
    ["/", "View Full Schedule", "/schedule", "router"],
    ["/", "Speaker", "/apply-speaker", "router"],
    ["/", "Judge", "/apply-judge", "router"],
    ["/", "Sponsor", "/apply-sponsor", "router"],
    ["/", "Enter Competition", "/enter-competition", "full load"],
    ["/", "Register for All-Access Pass - $449", "/enter-competition", "full load"],
    ["/", "Register for All-Access Pass", "/enter-competition", "full load"],
    ["/", "Apply for Professional Demo", "/apply-professional-demo", "router"],
    ["/", "Join the waitlist", "/#waitlist", "router"],
    ["/competition", "Enter this category: Lash Extensions - Volume", "/enter-competition?category=Lash%20Extensions%20-%20Volume", "full load"],
    ["/about", "See the venue", "/venue", "router"],
    ["/sponsors", "Apply as Sponsor", "/apply-sponsor", "router"],
    ["/venue", "Join the waitlist", "/#waitlist", "router"],
  ] as const)("on %s '%s' comes to %s by %s", async ([from, name, to, by], { open }) => {
    const page = await open(from);
    expect(await followed(page, page.getByRole("main").getByRole("link", { name, exact: true }))).toEqual({ to, by });
  });

  test("an invitation among the speakers stays in the document, the last section's leave it", async ({ open }) => {
    const page = await open("/speakers-judges");
    const stage = page.getByRole("region", { name: "Join the stage" });
    for (const [name, to] of [["Apply to Speak", "/apply-speaker"], ["Apply to Judge", "/apply-judge"]] as const) {
      await goTo(page, "/speakers-judges");
      expect(await followed(page, page.getByRole("main").getByRole("link", { name, exact: true }).first())).toEqual({ to, by: "router" });
      await goTo(page, "/speakers-judges");
      expect(await followed(page, stage.getByRole("link", { name, exact: true }))).toEqual({ to, by: "full load" });
    }
  });
});

test("a page has its style sheets also when a link leads to it", async ({ showcase, open }) => {
  const page = await open("/");
  for (const path of publicPages) {
    const html = await fetch(showcase.origin + path).then((reply) => reply.text());
    const wanted = html.match(/(?<=<link rel="stylesheet" href=")[^"]+/g) ?? [];
    await goTo(page, "/");
    await page.evaluate((href) => {
      const link = Object.assign(document.createElement("a"), { href });
      document.body.append(link);
      link.click();
    }, path);
    await page.waitForURL((address) => address.pathname === path);
    await live(page);
    const sheets = page.locator("link[rel=stylesheet]:not([media='not all'])");
    const applied = await sheets.evaluateAll((all) => all.map((link) => link.getAttribute("href")));
    expect.soft(applied, path).toEqual([...wanted]);
  }
});

test("no link of the site leads nowhere", async ({ showcase, open }) => {
  const page = await open("/");
  const from = new Map<string, string>();
  for (const path of publicPages) {
    await goTo(page, path);
    const links = await page.locator("a[href]").evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""));
    for (const link of links) {
      if (/^(mailto:|tel:|https:\/\/)./.test(link)) continue;
      const { pathname, search, hash } = new URL(link, showcase.origin + path);
      from.set(pathname + search + hash, path);
    }
  }
  const lost: string[] = [];
  for (const [link, path] of from) {
    const { status, text } = await fetch(showcase.origin + link).then(async (reply) => ({ status: reply.status, text: await reply.text() }));
    const anchor = link.split("#")[1];
    if (status !== 200 || (anchor && !text.includes(` id="${anchor}"`))) lost.push(`${link} on ${path}: ${status}`);
  }
  expect(lost).toEqual([]);
});
