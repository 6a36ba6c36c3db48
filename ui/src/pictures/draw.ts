/** The pictures with fixed addresses, as SVG text; `make-pictures.mjs` writes them to their files. */
import { drawnEvent } from "../parts/share-image";
import { posters } from "./posters";
import { brow, fan, ribbonPath, strokePath, type Curve } from "../parts/stroke";

const lid: Curve = [{ x: 3, y: 14 }, { x: 28, y: 31 }, { x: 55, y: 12.5 }];
const edge: Curve = [{ x: 6, y: 10 }, { x: 34, y: 0 }, { x: 53, y: 6 }];

const lashes = fan(lid, { count: 13, seed: 4, length: 15, width: 2.1, peak: 0.6, falloff: 0.42, spread: 16, jitter: 0.25, from: 0.04, to: 0.96 });
const hairs = brow(edge, { count: 34, seed: 3, length: 7, width: 1.1, body: 3 });

export function logo(ink: string, accent: string): string {
  const dark = lashes.filter((_, index) => index !== 8);
  return svg("0 0 58 40", [
    `<path fill="${ink}" d="${ribbonPath(lid, 1.9)}${strokePath(dark)}${strokePath(hairs)}"/>`,
    `<path fill="${accent}" d="${strokePath([lashes[8]!])}"/>`,
  ]);
}

/** Seven bold lashes: they must hold at 16 pixels. */
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

/** All posters in one file, so that a page asks once; `posters.svg#awards` shows one of them. */
export function posterSheet(): string {
  const views: string[] = [];
  const body = Object.entries(posters).map(([name, draw], index) => {
    const { ground, layers } = draw();
    views.push(`<view id="${name}" viewBox="${index * 320} 0 300 300"/>`);
    const paths = layers.map(([colour, path]) => `<path fill="${colour}" d="${path}"/>`).join("");
    return `<svg x="${index * 320}" width="300" height="300"><rect width="300" height="300" fill="${ground}"/>${paths}</svg>`;
  });
  return svg(`0 0 300 300`, [...views, ...body]);
}

/** The drawing alone, for an event whose words are others. */
export const plainShareImage = () => shareImage({ tagline: "", dates: "", city: "" });

/** What a shared link shows, 1200 by 630: HTML, so that the site's own fonts set it. */
export function shareImage({ tagline, dates, city } = drawnEvent): string {
  const wide: Curve = [{ x: 40, y: 314 }, { x: 590, y: 578 }, { x: 1166, y: 300 }];
  const arch: Curve = [{ x: 150, y: 112 }, { x: 720, y: 20 }, { x: 1080, y: 88 }];
  const many = fan(wide, { count: 84, seed: 29, length: 172, width: 4.6, peak: 0.6, falloff: 0.5, spread: 22, from: 0.012, to: 0.988 });
  const pick = (at: (index: number) => boolean) => strokePath(many.filter((_, index) => at(index)));
  const isGold = (index: number) => index % 17 === 8;
  const isRose = (index: number) => index % 11 === 5 && !isGold(index);
  return `<style>body{background:#fbf6ef;color:#2a1524;font-family:"DM Sans";text-align:center}
    body>svg{position:absolute;inset:0}
    p{position:absolute;inset:136px 0 auto;font:600 22px "DM Sans";letter-spacing:.12em;text-transform:uppercase;color:#a93a55}
    h1{position:absolute;inset:180px 0 auto;font:300 88px/0.98 Fraunces;letter-spacing:-.03em}
    em{color:#a93a55}</style>
    ${svg("0 0 1200 630", [
      `<path fill="#2a1524" d="${strokePath(brow(arch, { count: 200, seed: 11, length: 62, width: 2.8, body: 44 }))}${ribbonPath(wide, 10)}${pick((index) => !isGold(index) && !isRose(index))}"/>`,
      `<path fill="#a93a55" d="${pick(isRose)}"/><path fill="#b98b3e" d="${pick(isGold)}"/>`,
    ])}
    <p>${[dates, city].filter(Boolean).join(" &nbsp; ")}</p>
    <h1>${tagline.replace("&", "&amp;").replace(/(\S+) \+ (\S+)$/, "<br>$1 + <em>$2</em>")}</h1>`;
}
