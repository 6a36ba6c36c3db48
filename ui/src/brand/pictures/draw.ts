/** The pictures with fixed addresses, as SVG text; `make-pictures.mjs` writes them to their files. */
import { drawnEvent } from "../share-image";
import { isMark, markNames, type MarkName } from "../mark-names";
import { layersOf } from "../marks";
import { pagePictures, type PagePicture } from "./page-pictures";
import { posters } from "./posters";
import { brow, fan, ribbonPath, strokePath, type Curve } from "../stroke";

const lid: Curve = [{ x: 3, y: 14 }, { x: 28, y: 31 }, { x: 55, y: 12.5 }];
const edge: Curve = [{ x: 6, y: 10 }, { x: 34, y: 0 }, { x: 53, y: 6 }];

const lashes = fan(lid, { count: 13, seed: 4, length: 15, width: 2.1, peak: 0.6, falloff: 0.42, spread: 16, jitter: 0.25, from: 0.04, to: 0.96 });
const hairs = brow(edge, { count: 34, seed: 3, length: 7, width: 1.1, body: 3 });

const logoBox = "0 0 58 40";
const logoColours = { dark: ["#2a1524", "#a93a55"], light: ["#fbf6ef", "#d9b26a"] } as const;

export function logo(colours: keyof typeof logoColours): string {
  return svg(logoBox, [logoPaths(colours)]);
}

/** Both logos in one file; `logo.svg#light` shows the one for dark ground. */
export function logoSheet(): string {
  return sheet(logoBox, (["dark", "light"] as const).map((colours) => [colours, logoPaths(colours)]));
}

function logoPaths(colours: keyof typeof logoColours): string {
  const [ink, accent] = logoColours[colours];
  const dark = lashes.filter((_, index) => index !== 8);
  return `<path fill="${ink}" d="${ribbonPath(lid, 1.9)}${strokePath(dark)}${strokePath(hairs)}"/><path fill="${accent}" d="${strokePath([lashes[8]!])}"/>`;
}

/** Seven thick lashes, because they must stay visible at 16 pixels. */
export function favicon(): string {
  const small: Curve = [{ x: 8, y: 24 }, { x: 31, y: 46 }, { x: 56, y: 22 }];
  const few = fan(small, { count: 7, seed: 4, length: 23, width: 5.4, peak: 0.58, falloff: 0.3, spread: 14, jitter: 0, from: 0.02, to: 0.98 });
  return svg("0 0 64 64", [
    `<rect width="64" height="64" rx="10" fill="#2a1524"/>`,
    `<path fill="#fbf6ef" d="${ribbonPath(small, 5)}${strokePath(few.filter((_, index) => index !== 4))}"/>`,
    `<path fill="#d9b26a" d="${strokePath([few[4]!])}"/>`,
  ]);
}

function svg(viewBox: string, body: string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${viewBox}">${body.join("")}</svg>\n`;
}

/** All posters in one file, so that a page makes one request; `posters.svg#awards` shows one of them. */
export function posterSheet(): string {
  return sheet("0 0 300 300", Object.entries(posters).map(([name, draw]) => {
    const { ground, layers } = draw();
    return [name, `<rect width="300" height="300" fill="${ground}"/>${filled(layers)}`];
  }));
}

/** All marks in one file, addressed in the same way. They have no background. */
export function markSheet(): string {
  return sheet("0 0 240 160", markNames.map((name) => [name, filled(inColours(name))]));
}

function sheet(viewBox: string, drawings: [name: string, body: string][]): string {
  const [, , width, height] = viewBox.split(" ").map(Number) as [number, number, number, number];
  // A gap between the drawings, because a mark may extend beyond its own box.
  const at = (index: number) => index * (width + 20);
  return svg(viewBox, [
    ...drawings.map(([name], index) => `<view id="${name}" viewBox="${at(index)} 0 ${width} ${height}"/>`),
    ...drawings.map(([, body], index) => `<svg x="${at(index)}" width="${width}" height="${height}">${body}</svg>`),
  ]);
}

type Layers = readonly (readonly [colour: string, path: string])[];

function filled(layers: Layers): string {
  return layers.map(([colour, path]) => `<path fill="${colour}" d="${path}"/>`).join("");
}

const colours = { ink: "#2a1524", rose: "#a93a55", gold: "#b98b3e", blush: "#ecd3cc" };

function inColours(name: MarkName): Layers {
  return layersOf(name).map(([colour, path]) => [colours[colour], path]);
}

/** The share image without text, for an event with another tagline, dates or city. */
export const plainShareImage = () => shareImage({ tagline: "", dates: "", city: "" });

/** The site's share image, 1200 by 630 pixels. It is HTML, so that its text uses the site's own fonts. */
export function shareImage({ tagline, dates, city } = drawnEvent): string {
  const wide: Curve = [{ x: 40, y: 314 }, { x: 590, y: 578 }, { x: 1166, y: 300 }];
  const arch: Curve = [{ x: 150, y: 118 }, { x: 720, y: 40 }, { x: 1080, y: 100 }];
  const many = fan(wide, { count: 84, seed: 29, length: 172, width: 4.6, peak: 0.6, falloff: 0.5, spread: 22, jitter: 0.5, from: 0.012, to: 0.988 });
  const pick = (at: (index: number) => boolean) => strokePath(many.filter((_, index) => at(index)));
  const isGold = (index: number) => index % 17 === 8;
  const isRose = (index: number) => index % 11 === 5 && !isGold(index);
  return `<style>body{background:#fbf6ef;color:#2a1524;font-family:"DM Sans";text-align:center}
    body>svg{position:absolute;inset:0}
    p{position:absolute;inset:136px 0 auto;font:600 22px "DM Sans";letter-spacing:.12em;text-transform:uppercase;color:#a93a55}
    h1{position:absolute;inset:180px 0 auto;font:300 88px/0.98 Fraunces;letter-spacing:-.03em}
    em{color:#a93a55}</style>
    ${svg("0 0 1200 630", [
      `<path fill="#2a1524" d="${strokePath(brow(arch, { count: 200, seed: 11, length: 56, width: 2.8, body: 34 }))}${ribbonPath(wide, 10)}${pick((index) => !isGold(index) && !isRose(index))}"/>`,
      `<path fill="#a93a55" d="${pick(isRose)}"/><path fill="#b98b3e" d="${pick(isGold)}"/>`,
    ])}
    <p>${[dates, city].filter(Boolean).join(" &nbsp; ")}</p>
    <h1>${tagline.replace("&", "&amp;").replace(/(\S+) \+ (\S+)$/, "<br>$1 + <em>$2</em>")}</h1>`;
}

/** The colours of the share images. The pixels along an edge are mixtures of two of them. */
export const shareColours = ["#fbf6ef", "#2a1524", "#a93a55", "#b98b3e", "#f0e4d4", "#ecd3cc", "#8b2a43", "#d9b26a", "#c4607a", "#7d5a70", "#d9c3b0"];

/** The share images of single pages, each with the name of its file: the page's title beside a drawing. */
export function pageImages(): [file: string, html: string][] {
  return Object.entries(pagePictures).map(([page, picture]) => [`share-${page}`, pageImage(picture)]);
}

function pageImage({ title, art }: PagePicture): string {
  const { tagline, dates, city } = drawnEvent;
  return `<style>body{position:relative;background:#fbf6ef;color:#2a1524}
    body>svg{position:absolute;inset:0 0 0 auto;width:630px!important}
    p{position:absolute;left:72px;width:460px;margin:0}
    .when{top:72px;font:600 21px/1.6 "DM Sans";letter-spacing:.12em;text-transform:uppercase;color:#a93a55}
    h1{position:absolute;left:68px;top:176px;width:490px;margin:0;font:300 80px/1 Fraunces;letter-spacing:-.025em}
    .what{bottom:64px;font:500 24px/1.3 Fraunces}</style>
    ${svg("0 0 630 630", [isMark(art) ? markSquare(art) : posterSquare(art)])}
    <p class="when">${dates}<br>${city}</p><h1>${escaped(title)}</h1><p class="what">${escaped(tagline).replace(" + ", " +&nbsp;")}</p>`;
}

function posterSquare(art: string): string {
  const { ground, layers } = posters[art]!();
  return square(ground, "0 0 300 300", 630, layers);
}

function markSquare(name: MarkName): string {
  return square("#f0e4d4", "-20 -40 280 240", 630, inColours(name));
}

function square(ground: string, viewBox: string, size: number, layers: Layers): string {
  return `<rect width="${size}" height="${size}" fill="${ground}"/><svg width="${size}" height="${size}" viewBox="${viewBox}">${filled(layers)}</svg>`;
}

function escaped(text: string): string {
  return text.replace(/&/g, "&amp;");
}
