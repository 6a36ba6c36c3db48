import type { assets } from "virtual:assets";
import type { SiteFacts } from "../lib/answer-types";
import type { Head } from "../lib/page";
import type { PageDocument } from "./navigator";

interface Parts {
  document: PageDocument;
  head: Head;
  app: string;
  assets: typeof assets;
  /** The modules that make it live, the first of which starts it. */
  modules: string[];
  site: SiteFacts;
  /** Whether it is a page for visitors. */
  isPublic: boolean;
  /** The address of the share image on this site. */
  picture: string;
}

/** What the style sets in italics, beside emphasis. */
const italicBlocks = ["invitation", "next-steps", "quotation", "slot-award", "slot-evening"];
const italicBlock = new RegExp(`class="[^"]*\\b(?:${italicBlocks.join("|")})\\b`);

/** The page engine searches long texts for regular expressions slowly, and most pages have none of the words. */
function hasItalics(html: string): boolean {
  return html.includes("<em>") || (italicBlocks.some((name) => html.includes(name)) && italicBlock.test(html));
}

/** The complete HTML document of a page. Everything in it that came from the content is escaped here or by React. */
export function documentHtml({ document, head, app, assets, modules, site, isPublic, picture }: Parts): string {
  const { path, page } = document;
  const tellsHost = isPublic && site.awaitsSetup;
  const origin = site.publicUrl.replace(/\/$/, "");
  const address = origin + (path === "/" ? "/" : path);
  const meta = (key: "name" | "property", name: string, content: string) =>
    `<meta ${key}="${name}" content="${escapeHtml(content)}">`;
  const lines = [
    "<!doctype html>",
    // A demo has a clock of its own (lib/clock.ts).
    site.clockOffset ? `<html lang="en" data-clock-offset="${site.clockOffset}">` : '<html lang="en">',
    "<head>",
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeHtml(head.title)}</title>`,
    ...[...assets.fonts, ...(hasItalics(app) ? [assets.italic] : [])].map((font) => `<link rel="preload" href="${font}" as="font" type="font/woff2" crossorigin>`),
    `<link rel="stylesheet" href="${assets.style}">`,
    ...(assets.pageStyles[page] ? [`<link rel="stylesheet" href="${assets.pageStyles[page]}" data-page-style>`] : []),
    ...(tellsHost ? [`<link rel="stylesheet" href="${assets.setupStyle}">`] : []),
    `<script type="module" src="${assets.boot}" fetchpriority="low"></script>`,
    // No browser knows this relation: nothing is fetched until the script says so.
    ...modules.map((module) => `<link rel="module" href="${module}">`),
    meta("name", "description", head.description),
    ...(head.noIndex || page === "not-found" ? [meta("name", "robots", "noindex")] : []),
    ...(page === "not-found" ? [] : [`<link rel="canonical" href="${escapeHtml(address)}">`]),
    meta("name", "theme-color", "#fbf6ef"),
    meta("name", "application-name", document.shell.shortName),
    meta("name", "apple-mobile-web-app-title", document.shell.shortName),
    '<link rel="icon" href="/favicon.svg" type="image/svg+xml">',
    '<link rel="icon" href="/favicon.ico" sizes="32x32">',
    '<link rel="apple-touch-icon" href="/apple-touch-icon.png">',
    '<link rel="manifest" href="/site.webmanifest">',
    meta("property", "og:type", "website"),
    meta("property", "og:site_name", document.shell.name),
    meta("property", "og:title", head.title),
    meta("property", "og:description", head.description),
    meta("property", "og:url", address),
    meta("property", "og:image", origin + picture),
    meta("name", "twitter:card", "summary_large_image"),
    ...(head.structuredData ? [`<script type="application/ld+json">${embeddedJson(head.structuredData)}</script>`] : []),
    "</head>",
    "<body>",
    ...(tellsHost ? [setupNotice] : []),
    `<div id="app">${app}</div>`,
    `<div class="stalled" role="alert"><p>This page has not loaded completely, so some buttons and forms do not work. <a href="">Reload</a> or write to <a href="mailto:${escapeHtml(document.shell.email)}">${escapeHtml(document.shell.email)}</a>.</p></div>`,
    `<script type="application/json" id="page-data">${embeddedJson(document)}</script>`,
    "</body>",
    "</html>",
  ];
  return lines.join("\n");
}

export function escapeHtml(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
}

/** JSON escaped so that it cannot close the surrounding script element. */
export function embeddedJson(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}

/** The notice at the top of every page after the installation: what to do next. */
const setupNotice = `<aside class="setup-notice" aria-labelledby="setup-notice">
<p id="setup-notice"><strong>Showcase is running. This site still shows sample texts. What to do next:</strong></p>
<ol>
<li>Point a domain name at this machine. Write it in <code>config.toml</code> (with the Debian package <code>/etc/showcase/config.toml</code>): <code>domains</code> under <code>[tls]</code>. Restart the server. It gets a certificate and serves HTTPS.</li>
<li>Read the first password in the server’s log, for example with <code>journalctl -u showcase | grep password</code>, and <a href="/export-data">sign in</a>. The first page lists what else is left to do.</li>
<li>Run <code>showcase doctor</code> in the database’s folder (with the Debian package <code>/var/lib/showcase</code>). It says what is missing or wrong.</li>
</ol>
<p>This notice disappears once the site has a domain name.</p>
</aside>`;
