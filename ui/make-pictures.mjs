// Draws the pictures that are served as files: logo, favicon, share image. They are committed, so a build needs
// no browser; run this after changing the drawing: node make-pictures.mjs [path of a Chromium]
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import * as esbuild from "esbuild";
import { chromium } from "playwright-core";

const here = path.dirname(fileURLToPath(import.meta.url));
const bundle = path.join(here, "node_modules", ".cache-draw.mjs");
await esbuild.build({
  entryPoints: [path.join(here, "src/pictures/draw.ts")], outfile: bundle, bundle: true, format: "esm", jsx: "automatic", external: ["react/jsx-runtime"], logLevel: "warning",
});
const draw = await import(pathToFileURL(bundle).href);

const ink = "#2a1524";
const paper = "#fbf6ef";
const logos = { dark: draw.logo(ink, "#a93a55"), light: draw.logo(paper, "#d9b26a") };
const favicon = draw.favicon();
await writeFile(path.join(here, "src/pictures/logo-dark.svg"), logos.dark);
await writeFile(path.join(here, "src/pictures/logo-light.svg"), logos.light);
await writeFile(path.join(here, "src/pictures/posters.svg"), draw.posterSheet());
await writeFile(path.join(here, "files/favicon.svg"), favicon);

const browser = await chromium.launch({ executablePath: process.argv[2] ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
const page = await browser.newPage();

async function picture(html, width, height) {
  await page.setViewportSize({ width, height });
  await page.setContent(`<style>*{margin:0}body{width:${width}px;height:${height}px;overflow:hidden}body>svg{display:block;width:100%;height:100%}</style>${html}`);
  await page.evaluate(() => document.fonts.ready);
  return page.screenshot({ omitBackground: true, animations: "disabled" });
}

for (const [name, svg] of Object.entries(logos)) {
  await writeFile(path.join(here, `files/logo-${name}.png`), await picture(svg, 87, 60));
}
await writeFile(path.join(here, "files/apple-touch-icon.png"), await picture(favicon.replace(' rx="10"', ""), 180, 180));
await writeFile(path.join(here, "files/icon-192.png"), await picture(favicon.replace(' rx="10"', ""), 192, 192));
await writeFile(path.join(here, "files/icon-512.png"), await picture(favicon.replace(' rx="10"', ""), 512, 512));
await writeFile(path.join(here, "files/favicon.ico"), icon(await picture(favicon, 32, 32), 32));
const font = async (name) => `url(data:font/woff2;base64,${(await readFile(path.join(here, `src/fonts/${name}.woff2`))).toString("base64")})`;
const faces = `<style>@font-face{font-family:Fraunces;font-weight:300 600;src:${await font("fraunces-roman")}}@font-face{font-family:Fraunces;font-style:italic;font-weight:300 400;src:${await font("fraunces-italic")}}@font-face{font-family:"DM Sans";font-weight:400 700;src:${await font("dm-sans")}}</style>`;
await writeFile(path.join(here, "files/share.png"), await picture(faces + draw.shareImage(), 1200, 630));
await writeFile(path.join(here, "files/share-plain.png"), await picture(faces + draw.plainShareImage(), 1200, 630));
await browser.close();

/** An ICO file around one PNG. */
function icon(png, size) {
  const header = Buffer.alloc(22);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(1, 4);
  header.writeUInt8(size, 6);
  header.writeUInt8(size, 7);
  header.writeUInt16LE(1, 10);
  header.writeUInt16LE(32, 12);
  header.writeUInt32LE(png.length, 14);
  header.writeUInt32LE(22, 18);
  return Buffer.concat([header, png]);
}
