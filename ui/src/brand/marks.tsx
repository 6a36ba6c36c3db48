import type { MarkName } from "./mark-names";
import { brow, fan, pointOn, ribbonPath, strokePath, tipOf, type Curve, type Stroke } from "./stroke";

export interface Drawing {
  ink: string;
  rose?: string;
  gold?: string;
  blush?: string;
}

const lid: Curve = [{ x: 26, y: 66 }, { x: 118, y: 118 }, { x: 214, y: 60 }];
const rising: Curve = [{ x: 30, y: 116 }, { x: 120, y: 84 }, { x: 210, y: 116 }];
const browEdge: Curve = [{ x: 28, y: 118 }, { x: 140, y: 52 }, { x: 216, y: 96 }];

/** One drawing for each of the eight categories, all 240 by 160. */
const drawings: Record<MarkName, () => Drawing> = {
  "classic": () => ({
    ink: ribbonPath(lid, 2.6) + strokePath(fan(lid, { count: 15, seed: 2, length: 54, width: 3, spread: 18, jitter: 0.5 })),
  }),
  "volume": () => {
    const bundles = Array.from({ length: 9 }, (_, index) => bundle(lid, (index + 0.6) / 9.2, index));
    return { ink: ribbonPath(lid, 2.6) + strokePath(bundles.flat()) };
  },
  "creative-lashes": () => {
    const lashes = fan(lid, { count: 27, seed: 12, length: 58, width: 2.6, spread: 18 });
    return {
      ink: ribbonPath(lid, 2.6) + strokePath(lashes.filter((_, index) => index % 3 !== 1)),
      rose: strokePath(lashes.filter((_, index) => index % 6 === 1)),
      gold: strokePath(lashes.filter((_, index) => index % 6 === 4)) + lashes.filter((_, index) => index % 6 === 4).map((lash) => stone(beyond(lash, 5), 2.6)).join(""),
    };
  },
  "lash-lift": () => {
    const lifted = fan(rising, { count: 17, seed: 6, length: 66, width: 3, turn: 180, spread: -20, bend: -0.3, jitter: 0.3, peak: 0.58, falloff: 0.45 });
    return { ink: ribbonPath(rising, 2.6) + strokePath(lifted.filter((_, index) => index !== 10)), rose: strokePath([lifted[10]!]) };
  },
  "lamination": () => ({
    ink: strokePath(brow(browEdge, { count: 92, seed: 8, length: 38, width: 2, body: 17, combed: 0.85 })),
  }),
  "creative-brows": () => ({
    ink: strokePath(brow(browEdge, { count: 84, seed: 9, length: 34, width: 2, body: 17 })),
    gold: [0.16, 0.34, 0.52, 0.7].map((t, index) => stone({ x: pointOn(browEdge, t).x + 4, y: pointOn(browEdge, t).y + 15 }, 4.6 - index * 0.7)).join(""),
    rose: stone({ x: 205, y: 112 }, 2.4),
  }),
  "natural-glam": () => ({
    blush: "M52 58q62-50 134-8q18 10 24 12q-6 18-26 30q-66 36-128-6q-22-14-26-20q10-2 22-8z",
    ink: ribbonPath(lid, 3.4) + strokePath(fan(lid, { count: 31, seed: 21, length: 34, width: 2, spread: 14, jitter: 0.7 })),
  }),
  "editorial": () => ({
    ink: ribbonPath(lid, 5) + strokePath([{ root: { x: 176, y: 86 }, angle: -28, length: 66, width: 8, bend: 0.1 }, ...fan(lid, { count: 17, seed: 23, length: 40, width: 2.6, spread: 16, from: 0.3 })]),
    rose: ribbonPath([{ x: 26, y: 58 }, { x: 112, y: -4 }, { x: 232, y: 24 }], 10),
    gold: stone({ x: 92, y: 52 }, 4) + stone({ x: 112, y: 48 }, 2.8) + stone({ x: 129, y: 47 }, 2),
  }),
};

const drawn = new Map<MarkName, Drawing>();

/** A drawing as inline SVG, so that it needs no request. `Art` shows the same drawings from a file. */
export function Mark({ name, className = "" }: { name: MarkName; className?: string }) {
  return (
    <svg className={`mark ${className}`.trim()} viewBox="0 0 240 160" aria-hidden="true" focusable="false">
      {layersOf(name).map(([colour, path]) => <path key={colour} className={colour === "ink" ? undefined : colour} d={path} />)}
    </svg>
  );
}

/** The drawing's paths, from back to front. */
export function layersOf(name: MarkName): [colour: keyof Drawing, path: string][] {
  const { ink, rose, gold, blush } = drawingOf(name);
  const over: [keyof Drawing, string | undefined][] = name === "editorial" ? [["rose", rose], ["ink", ink]] : [["ink", ink], ["rose", rose]];
  return ([["blush", blush], ...over, ["gold", gold]] as const).flatMap(([colour, path]) => path ? [[colour, path]] : []);
}

export function drawingOf(name: MarkName): Drawing {
  const drawing = drawn.get(name) ?? drawings[name]();
  drawn.set(name, drawing);
  return drawing;
}

/** Several fine lashes from one root, like a volume fan. */
export function bundle(curve: Curve, t: number, seed: number): Stroke[] {
  const [base] = fan(curve, { count: 1, seed, length: 56, width: 2, from: t, to: t + 0.001, jitter: 0, spread: 18, falloff: 0.5, bend: 0.12 });
  return Array.from({ length: 6 }, (_, index) => {
    const side = index - 2.5;
    return { ...base!, angle: base!.angle + side * 6.2, length: base!.length * (1 - Math.abs(side) * 0.045), width: 1.9, bend: base!.bend - side * 0.02 };
  });
}

/** A four-sided stone. */
export function stone({ x, y }: { x: number; y: number }, size: number): string {
  const s = Math.round(size * 10) / 10;
  return `M${Math.round(x * 10) / 10} ${Math.round((y - s * 1.25) * 10) / 10}l${s} ${s * 1.25}-${s} ${s * 1.25}-${s}-${s * 1.25}z`;
}

function beyond(stroke: Stroke, distance: number) {
  return tipOf({ ...stroke, length: stroke.length + distance });
}
