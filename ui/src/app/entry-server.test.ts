import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import vm from "node:vm";
import { brotliDecompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { islandsIn } from "../kit/island";
import { sampleInput } from "../../test/sample-input";
import { routes as routeTable } from "./routes";

interface Engine {
  routes: (input: string) => string;
  renderPage: (path: string, input: string) => string;
}

const out = mkdtempSync(path.join(tmpdir(), "showcase-ui-"));
const context = vm.createContext(Object.create(null)) as unknown as Engine;
const input = JSON.stringify(sampleInput);

beforeAll(() => {
  execFileSync("node", ["build.mjs", "--out", out], { stdio: "inherit" });
  const bundle = readFileSync(path.join(out, "server.js"), "utf8");
  vm.runInContext(bundle, context as unknown as vm.Context);
});

afterAll(() => rmSync(out, { recursive: true, force: true }));

describe("the browser's chunks", () => {
  const chunks = () => readdirSync(path.join(out, "assets")).filter((name) => name.endsWith(".js.br"))
    .map((name) => ({ name, code: brotliDecompressSync(readFileSync(path.join(out, "assets", name))).toString() }));

  // Each is written by a page's `data` or `head`, and by nothing else.
  it.each(["@context", "schema.org", "structuredData", "descriptions.", "SoldOut"])("contain no code that only the server calls: %s", (text) => {
    expect(chunks().filter(({ code }) => code.includes(text)).map(({ name }) => name)).toEqual([]);
  });

  it("contain no page, no drawing of a page's head, and no other page's form", () => {
    const named = (text: string) => chunks().filter(({ code }) => code.includes(text)).map(({ name }) => name.replace(/-[^-]*$/, ""));
    for (const text of ["contact-list", "hero-introduction", "0 0 1440 500"]) expect(named(text), text).toEqual([]);
    for (const label of ["Speaking experience", "First additional subcategory"]) expect(named(label), label).toEqual([]);
  });

  it("contain SWR only for the organiser's pages", () => {
    const all = chunks();
    // The organiser's sections that are loaded later share it with the first view, so it is in a chunk that all of them import.
    const needing = new Set(all.filter(({ code }) => code.includes("revalidateOnReconnect")).map(({ name }) => name));
    expect(needing.size).toBe(1);
    for (const needed of needing) {
      const file = needed.replace(/\.br$/, "");
      for (const { name, code } of all) if (new RegExp(`(from|import)"/assets/${file}"`).test(code)) needing.add(name);
    }
    const named = [...needing].map((name) => name.replace(/-[^-]*$/, "")).filter((name) => name !== "chunk");
    expect(named.sort()).toEqual(["export-data", "section"]);
  });
});

describe("the server bundle", () => {
  it("shows the pass with its price and a link at the end of each page that offers nothing else", () => {
    const selling = JSON.stringify({ ...sampleInput, site: { ...sampleInput.site, payments: "demo" } });
    const ends = (page: string) => JSON.parse(context.renderPage(page, selling)).html.includes('<section class="pass-band"');
    const pages = routeTable.filter(({ policy }) => policy === "site").map((route) => route.path);
    expect(pages.filter((page) => !ends(page)), "the home page sells it itself, a form asks for one thing only, and whoever is in the Artist Portal has entered")
      .toEqual(["/", "/apply-speaker", "/apply-judge", "/apply-sponsor", "/apply-professional-demo", "/artist-portal", "/release", "/404", "/score-sheet", "/judge", "/results"]);
    expect(JSON.parse(context.renderPage("/contact", input)).html, "nothing is sold").not.toContain("pass-band");
  });

  it("tells the host what to do next on every public page of a site that is not set up yet", () => {
    const fresh = JSON.stringify({ ...sampleInput, site: { ...sampleInput.site, awaitsSetup: true } });
    const tells = (path: string, from: string) => JSON.parse(context.renderPage(path, from)).html.includes("What to do next");
    for (const { path, policy } of routeTable) expect(tells(path, fresh), path).toBe(policy !== "organiser");
    expect(tells("/", input)).toBe(false);
  });

  it("offers the entry in the bar of every page but those of people who have entered and of their models", () => {
    const selling = JSON.stringify({ ...sampleInput, site: { ...sampleInput.site, payments: "demo" } });
    const pages = routeTable.filter(({ policy }) => policy === "site").map((route) => route.path);
    expect(pages.filter((page) => !JSON.parse(context.renderPage(page, selling)).html.includes("bar-enter"))).toEqual(["/artist-portal", "/release", "/score-sheet", "/judge"]);
  });

  it("begins the home page without a price while nobody can pay it", () => {
    const hero = (payments: string) => /<div class="hero-actions">.*?<\/div>/s.exec(JSON.parse(context.renderPage("/", JSON.stringify({ ...sampleInput, site: { ...sampleInput.site, payments } }))).html)?.[0];
    expect(hero("demo")).toContain("$449");
    expect(hero("off")).toMatch(/All-Access Pass<\/span>/);
  });

  it("says that nobody can pay yet, and offers the waitlist", () => {
    const html = (payments: string) => JSON.parse(context.renderPage("/", JSON.stringify({ ...sampleInput, site: { ...sampleInput.site, payments } }))).html as string;
    const ticket = (payments: string) => /<div class="pass-ticket">.*?<\/section>/s.exec(html(payments))?.[0];
    expect(ticket("off")).toContain("Online payment is not open yet. Join the waitlist");
    expect(ticket("off")).toContain('href="/#waitlist"');
    expect(ticket("off")).toContain('href="/enter-competition"');
    expect(ticket("demo")).not.toContain("waitlist");
  });

  it("names every route, with nothing but the language around it", () => {
    const site = { ...sampleInput.site, results: { categories: [{ label: "Lash Lift", category: "lash-lift", subCategory: "Standard", publishedAt: "", rows: [{ place: 1, name: "Ana", businessName: "", points: "91.00" }] }] } };
    const published = JSON.stringify({ ...sampleInput, site });
    expect(JSON.parse(context.routes(published))).toEqual(routeTable.map((route) => route.path));
    expect(context.renderPage("/results", published)).toContain("91.00");
  });

  it("has no results before they are published, and no judges' page without a rubric", () => {
    const unpublished = routeTable.map((route) => route.path).filter((address) => !(JSON.parse(context.routes(input)) as string[]).includes(address));
    expect(unpublished).toEqual(["/results"]);
    const plain = JSON.stringify({ ...sampleInput, content: { ...sampleInput.content, judging: { ...sampleInput.content.judging, rubrics: [] } } });
    expect((JSON.parse(context.routes(plain)) as string[]).filter((address) => ["/judge", "/score-sheet"].includes(address))).toEqual([]);
    expect(context.renderPage("/competition", plain)).not.toContain("How your work is scored");
    expect(context.renderPage("/competition", input)).toContain("How your work is scored");
  });

  it("links to an open Artist Portal", () => {
    for (const address of ["/", "/competition"]) expect(JSON.parse(context.renderPage(address, input)).html).toContain('href="/artist-portal"');
  });

  it("links styles and fonts before scripts", () => {
    const { html = "" } = JSON.parse(context.renderPage("/", input)) as Record<string, string>;
    const scripts = html.match(/<(script [^>]*src|link rel="modulepreload")[^>]*>/g) ?? [];
    expect(scripts).toHaveLength(1);
    expect(scripts[0]).toMatch(/^<script type="module" src="[^"]+" fetchpriority="low">$/);
    expect(html.match(/<link rel="module" href="[^"]+">/g)?.length).toBeGreaterThan(1);
  });

  it("preloads the fonts, italics only on a page that has some", () => {
    const preloaded = (address: string) => {
      const { html } = JSON.parse(context.renderPage(address, input)) as { html: string };
      return [...html.matchAll(/<link rel="preload" href="\/assets\/(.*?)-[A-Z0-9]{8}\.woff2"/g)].map(([, name]) => name);
    };
    expect(preloaded("/")).toEqual(["dm-sans", "fraunces-display", "fraunces-text", "fraunces-italic"]);
    expect(preloaded("/schedule")).toContain("fraunces-italic");
    expect(preloaded("/faq")).toEqual(["dm-sans", "fraunces-display", "fraunces-text"]);
  });

  it("sends a page's own data only where the browser renders the page", () => {
    for (const { path: address } of routeTable) {
      const { html = "", data } = JSON.parse(context.renderPage(address, input)) as { html: string; data: object };
      const embedded = JSON.parse(/<script type="application\/json" id="page-data">(.*?)<\/script>/s.exec(html)?.[1] ?? "") as object;
      expect(Object.keys(embedded)).toEqual(["page", "path", "title", "shell", ...(address === "/door" || address.startsWith("/export-data") ? ["view"] : [])]);
      expect("html" in data).toBe(true);
    }
  });

  it("renders no island that the browser does not know", () => {
    const table = readFileSync("src/app/islands.tsx", "utf8");
    const rendered = routeTable.flatMap(({ path: address }) => islandsIn((JSON.parse(context.renderPage(address, input)) as { html: string }).html));
    expect(rendered.length).toBeGreaterThan(10);
    for (const name of new Set(rendered)) expect(table, name).toContain(`"${name}": () =>`);
  });

  it("lists the modules of a page's islands, and of no other's", () => {
    const modules = (address: string) => [...(JSON.parse(context.renderPage(address, input)) as { html: string }).html.matchAll(/<link rel="module" href="\/assets\/(.*?)-[A-Z0-9]*\.js">/g)].map(([, name]) => name);
    expect(modules("/privacy")).toEqual(["entry-client", "chunk"]);
    expect(modules("/apply-judge")).toContain("application-form");
    // It is loaded when it comes near the window.
    expect(modules("/")).not.toContain("registration-form");
  });

  it("names each category in full where it can be entered", () => {
    const { html = "" } = JSON.parse(context.renderPage("/competition", input)) as Record<string, string>;
    const headings = [...html.matchAll(/<h2 class="title">(.*?)<\/h2>/g)].map(([, inner = ""]) => inner.replace(/<[^>]*>/g, ""));
    expect(headings).toEqual(sampleInput.content.competition.cards.map(({ label }) => label));
  });

  it("shows a message in place of a page that fails to render, and reports the reason", () => {
    const broken = JSON.stringify({ ...sampleInput, content: { ...sampleInput.content, schedule: { ...sampleInput.content.schedule, days: null } } });
    const { html, data, failure } = JSON.parse(context.renderPage("/schedule", broken)) as Record<string, string>;
    expect(failure).toMatch(/null/);
    expect(html).toMatch(/<h1>Schedule[^<]*<\/h1><p class="lead">This page can(&#x27;|')t be shown at the moment/);
    expect(html).toContain('<nav class="bar-links"');
    expect(data).toMatchObject({ path: "/schedule" });
    expect(JSON.parse(context.renderPage("/schedule", input))).not.toHaveProperty("failure");
  });

  it("names the part that a form's page had to leave out", () => {
    const broken = JSON.stringify({ ...sampleInput, site: { ...sampleInput.site, openings: { ...sampleInput.site.openings, "judge-applications": { open: false, message: {} } } } });
    const { failure } = JSON.parse(context.renderPage("/apply-judge", broken)) as Record<string, string>;
    expect(failure).toBe("a part of the page was left out");
  });

  it("refuses a path that it does not know", () => {
    expect(() => context.renderPage("/nowhere", input)).toThrow("no page at /nowhere");
  });
});
