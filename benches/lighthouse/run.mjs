// Runs Lighthouse, mobile preset, on every public page of the real program. Run it by hand, because the performance score
// measures the machine too. In CI, ui/e2e/budgets.e2e.ts checks the size and the requests of each page.
//
//   npm ci && node run.mjs [PATH...]       every page of the sitemap, or only these
//
// SHOWCASE_BINARY    the program; target/release/showcase of this repository when not set
// CHROMIUM           the browser; /usr/bin/chromium when not set
// LIGHTHOUSE_RUNS    how often each page is measured, an odd number; the median run counts. 1 when not set
// LIGHTHOUSE_FOLDER  the folder for the full reports as JSON; none are written when not set
//
// Ends with 0 when every score is 100, else with 1.

import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { launch } from "chrome-launcher";
import lighthouse from "lighthouse";
import { computeMedianRun } from "lighthouse/core/lib/median-run.js";
import { chromium, start } from "./program.mjs";

const categories = ["performance", "accessibility", "best-practices", "seo"];
const runs = Number(process.env.LIGHTHOUSE_RUNS ?? 1);
const reports = process.env.LIGHTHOUSE_FOLDER;

process.exitCode = await main(process.argv.slice(2)).catch(({ message }) => (console.error(message), 1));

async function main(chosen) {
  if (!Number.isInteger(runs) || runs % 2 !== 1) {
    console.error("LIGHTHOUSE_RUNS is an odd number.");
    return 1;
  }
  if (reports) mkdirSync(reports, { recursive: true });
  let server, browser;
  try {
    server = await start();
    browser = await launch({ chromePath: chromium, chromeFlags: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"] });
    const paths = chosen.length > 0 ? chosen : await sitemap(server.origin);
    console.log(["page".padEnd(26), ...["performance", "accessibility", "best practices", "SEO", "CLS", "bytes"].map((name) => name.padStart(16))].join(""));
    const findings = [];
    for (const page of paths) findings.push(...await measure(server.origin, page, browser.port));
    for (const finding of findings) console.log(finding);
    console.log(findings.length === 0 ? "Every score is 100." : `${findings.length} findings.`);
    return findings.length === 0 ? 0 : 1;
  } finally {
    browser?.kill();
    await server?.stop();
  }
}

async function sitemap(origin) {
  const xml = await (await fetch(`${origin}/sitemap.xml`)).text();
  const paths = [...xml.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address]) => new URL(address).pathname);
  if (paths.length === 0) throw new Error("the sitemap names no page");
  return paths;
}

/** Prints a page's line, and returns what keeps it from 100, one line each. */
async function measure(origin, page, port) {
  const results = [];
  for (let run = 0; run < runs; run += 1) {
    const once = () => lighthouse(origin + page, { port, logLevel: "error", onlyCategories: categories });
    let result = await once();
    // On a busy machine Lighthouse sometimes loses the trace of a load. Try again.
    if (result?.lhr.runtimeError) result = await once();
    if (!result || result.lhr.runtimeError) return [`${page}: ${result?.lhr.runtimeError?.message ?? "no result"}`];
    results.push(result.lhr);
  }
  const report = runs > 1 ? computeMedianRun(results) : results[0];
  if (reports) writeFileSync(path.join(reports, `${page.slice(1) || "home"}.json`), JSON.stringify(report));
  const scores = categories.map((name) => score(report.categories[name]));
  const { "cumulative-layout-shift": shift, "total-byte-weight": weight } = report.audits;
  const cells = [...scores, shift.numericValue?.toFixed(3) ?? "-", weight.numericValue ?? "-"];
  console.log([page.padEnd(26), ...cells.map((cell) => String(cell).padStart(16))].join(""));
  return categories.filter((name) => score(report.categories[name]) < 100).flatMap((name) => lost(report, name, page));
}

function score(category) {
  return Math.round((category.score ?? 0) * 100);
}

/** The audits that cost a category its points, with what they found. */
function lost(report, name, page) {
  const { auditRefs } = report.categories[name];
  const failed = auditRefs.filter(({ id, weight }) => weight > 0 && !["notApplicable", "manual", "informative"].includes(report.audits[id].scoreDisplayMode) && report.audits[id].score !== 1);
  return failed.map(({ id }) => {
    const { title, displayValue, details, score: reached, errorMessage } = report.audits[id];
    if (errorMessage) return `${page}: ${name}: ${id} could not be measured: ${errorMessage}`;
    const places = (details?.items ?? []).slice(0, 5).map(({ node, description, url, href, source }) => node?.snippet ?? description ?? url ?? href ?? source).filter(Boolean);
    return [`${page}: ${name}: ${id} (${Math.round(reached * 100)}): ${title}`, displayValue, ...places.map(String)].filter(Boolean).join("\n    ");
  });
}
