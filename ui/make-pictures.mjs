// Draws the pictures that are served as files: logo, favicon, share image. They are committed, so a build needs
// no browser; run this after changing the drawing: node make-pictures.mjs [path of a Chromium]
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { crc32, deflateSync } from "node:zlib";
import * as esbuild from "esbuild";
import { chromium } from "playwright-core";

const here = path.dirname(fileURLToPath(import.meta.url));
const bundle = path.join(here, "node_modules", ".cache-draw.mjs");
await esbuild.build({
  entryPoints: [path.join(here, "src/brand/pictures/draw.ts")], outfile: bundle, bundle: true, format: "esm", jsx: "automatic", external: ["react/jsx-runtime"], logLevel: "warning",
});
const draw = await import(pathToFileURL(bundle).href);

const logos = { dark: draw.logo("dark"), light: draw.logo("light") };
const favicon = draw.favicon();
await writeFile(path.join(here, "src/brand/pictures/logo.svg"), draw.logoSheet());
await writeFile(path.join(here, "src/brand/pictures/posters.svg"), draw.posterSheet());
await writeFile(path.join(here, "src/brand/pictures/marks.svg"), draw.markSheet());
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
const faces = `<style>@font-face{font-family:Fraunces;font-weight:300;src:${await font("fraunces-display")}}@font-face{font-family:Fraunces;font-weight:400 600;src:${await font("fraunces-text")}}@font-face{font-family:Fraunces;font-style:italic;font-weight:300 400;src:${await font("fraunces-italic")}}@font-face{font-family:"DM Sans";font-weight:400 700;src:${await font("dm-sans")}}</style>`;
const shared = [["share", draw.shareImage()], ["share-plain", draw.plainShareImage()], ...draw.pageImages()];
for (const [name, html] of shared) {
  const shot = await picture(faces + html, 1200, 630);
  await writeFile(path.join(here, `files/${name}.png`), indexedPng(await pixelsOf(shot), draw.shareColours));
}
await browser.close();

/** The decoded pixels of a PNG, row by row: red, green, blue, alpha. */
async function pixelsOf(png) {
  const { width, height, base64 } = await page.evaluate(async (source) => {
    const image = await createImageBitmap(await (await fetch(source)).blob());
    const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
    canvas.drawImage(image, 0, 0);
    const { data } = canvas.getImageData(0, 0, image.width, image.height);
    let text = "";
    for (let at = 0; at < data.length; at += 0x8000) text += String.fromCharCode(...data.subarray(at, at + 0x8000));
    return { width: image.width, height: image.height, base64: btoa(text) };
  }, `data:image/png;base64,${png.toString("base64")}`);
  return { width, height, rgba: Buffer.from(base64, "base64") };
}

/** A PNG with a palette: the given colours that are there, and steps between each two for the edges. */
function indexedPng({ width, height, rgba }, colours) {
  const at = (pixel) => [rgba[4 * pixel], rgba[4 * pixel + 1], rgba[4 * pixel + 2]];
  const counts = new Map();
  for (let pixel = 0; pixel < width * height; pixel++) counts.set(String(at(pixel)), (counts.get(String(at(pixel))) ?? 0) + 1);
  const flat = colours.map((colour) => [1, 3, 5].map((from) => parseInt(colour.slice(from, from + 2), 16))).filter((rgb) => (counts.get(String(rgb)) ?? 0) > 40);
  const steps = Math.max(2, Math.min(8, Math.floor((256 - flat.length) / (flat.length * (flat.length - 1) / 2))));
  const mixed = flat.flatMap((one, index) => flat.slice(index + 1).flatMap((other) => Array.from({ length: steps - 1 }, (_, step) => one.map((value, channel) => Math.round(value + ((other[channel] - value) * (step + 1)) / steps)))));
  const palette = [...flat, ...mixed];
  const nearest = new Map();
  const indexOf = (rgb) => {
    const key = String(rgb);
    if (!nearest.has(key)) nearest.set(key, palette.map((entry) => entry.reduce((sum, value, channel) => sum + (value - rgb[channel]) ** 2, 0)).reduce((best, distance, index, all) => (distance < all[best] ? index : best), 0));
    return nearest.get(key);
  };
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) rows[y * (width + 1) + 1 + x] = indexOf(at(y * width + x));
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 3, 0, 0, 0], 8);
  const parts = [["IHDR", head], ["PLTE", Buffer.from(palette.flat())], ["IDAT", deflateSync(rows, { level: 9, memLevel: 9 })], ["IEND", Buffer.alloc(0)]];
  return Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), ...parts.map(([type, data]) => chunk(type, data))]);
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

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
