/** The posters of the slideshow and the gallery, each 300 by 300, drawn from strokes and lines alone. */
import { laurel } from "../laurel";
import { stone } from "../marks";
import { brow, fan, ribbonPath, seeded, strokePath, type Curve, type Point, type Stroke } from "../stroke";

export interface Poster {
  ground: string;
  /** Colour and path data, from the bottom to the top. */
  layers: (readonly [colour: string, path: string])[];
}

const ink = "#2a1524";
const paper = "#fbf6ef";
const sand = "#f0e4d4";
const blush = "#ecd3cc";
const wine = "#8b2a43";
const rose = "#c4607a";
const gold = "#b98b3e";
const light = "#d9b26a";

const ray = (x: number, y: number, angle: number, length: number, width: number, bend = 0): Stroke => ({ root: { x, y }, angle, length, width, bend });
const every = (strokes: Stroke[], step: number, at: number) => [strokes.filter((_, index) => index % step !== at), strokes.filter((_, index) => index % step === at)] as const;
const mirrored = (strokes: Stroke[]) => strokes.map((stroke) => ({ ...stroke, root: { x: 300 - stroke.root.x, y: stroke.root.y }, angle: 180 - stroke.angle, bend: -stroke.bend }));
const times = <T>(count: number, make: (index: number) => T) => Array.from({ length: count }, (_, index) => make(index));

export const posters: Record<string, () => Poster> = {
  breakfast() {
    const edge: Curve = [{ x: -16, y: 122 }, { x: 84, y: 70 }, { x: 146, y: 156 }];
    const one = brow(edge, { count: 80, seed: 31, length: 58, width: 3, body: 36 });
    const other = mirrored(one).map((stroke) => ({ ...stroke, root: { x: stroke.root.x, y: stroke.root.y + 58 } }));
    return { ground: blush, layers: [[ink, strokePath(one)], [wine, strokePath(other)]] };
  },
  "live-lashes"() {
    const lid: Curve = [{ x: -30, y: 146 }, { x: 150, y: 252 }, { x: 330, y: 130 }];
    const lashes = fan(lid, { count: 31, seed: 51, length: 98, width: 4.4, spread: 18 });
    const lamp = times(36, (index) => ray(206 + Math.cos((index * 10 * Math.PI) / 180) * 30, 64 + Math.sin((index * 10 * Math.PI) / 180) * 30, index * 10, index % 2 ? 16 : 26, 3));
    return { ground: ink, layers: [[paper, ribbonPath(lid, 6) + strokePath(lashes)], [light, strokePath(lamp)]] };
  },
  talks() {
    const strokes = times(7, (index) => ray(42 + index * 33, 262, -84 - index, 214, 15, 0.09));
    const [most, one] = every(strokes, 7, 4);
    return { ground: paper, layers: [[ink, strokePath(most)], [wine, strokePath(one)]] };
  },
  arena() {
    const stations = times(20, (index) => {
      const x = 30 + (index % 4) * 66;
      const y = 34 + Math.floor(index / 4) * 54;
      const lid: Curve = [{ x, y }, { x: x + 22, y: y + 18 }, { x: x + 44, y }];
      return ribbonPath(lid, 1.6) + strokePath(fan(lid, { count: 7, seed: index, length: 20, width: 2.4, jitter: 0.5, spread: 20 }));
    });
    return { ground: sand, layers: [[ink, stations.filter((_, index) => index !== 13).join("")], [wine, stations[13]!]] };
  },
  products() {
    const tweezers = strokePath([ray(60, 22, 84, 250, 15, 0.03), ray(104, 22, 96, 250, 15, -0.03)]);
    const brush = strokePath([ray(150, 282, -90, 190, 9), ...times(19, (index) => ray(150, 104, -118 + index * 3.1, 78 - Math.abs(index - 9) * 2.6, 4, (index - 9) * 0.012))]);
    const spoolie = strokePath([ray(232, 282, -90, 262, 7), ...times(26, (index) => [ray(232, 150 - index * 4.6, -28, 26 - index * 0.5, 2.6, 0.1), ray(232, 150 - index * 4.6, 208, 26 - index * 0.5, 2.6, -0.1)]).flat()]);
    return { ground: wine, layers: [[light, tweezers], [paper, brush + spoolie]] };
  },
  "live-brows"() {
    const edge: Curve = [{ x: 6, y: 236 }, { x: 170, y: 96 }, { x: 296, y: 190 }];
    const [most, some] = every(brow(edge, { count: 130, seed: 71, length: 84, width: 3.6, body: 54, combed: 0.6 }), 9, 4);
    return { ground: blush, layers: [[ink, strokePath(most)], [gold, strokePath(some)]] };
  },
  business() {
    const bars = times(15, (index) => ray(30 + index * 16.6, 262, -88, 34 + index * index * 0.95, 8.5, 0.07));
    const [most, last] = every(bars, 15, 14);
    return { ground: sand, layers: [[ink, strokePath(most)], [wine, strokePath(last)]] };
  },
  awards() {
    const base: Curve = [{ x: 112, y: 176 }, { x: 150, y: 196 }, { x: 188, y: 176 }];
    const trophy = times(23, (index) => ray(150 + (index - 11) * 1.2, 216, -150 + index * 5.45, 150 - Math.abs(index - 11) * 4.6, 5, (index - 11) * 0.014));
    return { ground: ink, layers: [[paper, shifted(laurel(1.3), 150, 150)], [light, strokePath(trophy) + ribbonPath(base, 5)]] };
  },
  gala() {
    const lid: Curve = [{ x: 12, y: 112 }, { x: 150, y: 220 }, { x: 288, y: 104 }];
    const [most, some] = every(fan(lid, { count: 35, seed: 91, length: 84, width: 3.6, spread: 20 }), 5, 2);
    const next = seeded(83);
    const stones = times(13, (index) => stone({ x: 30 + index * 20, y: 30 + next() * 66 }, 2 + next() * 3.4)).join("");
    return { ground: wine, layers: [[paper, ribbonPath(lid, 5) + strokePath(most)], [light, strokePath(some) + stones], [rose, ribbonPath([{ x: 12, y: 106 }, { x: 150, y: 70 }, { x: 288, y: 98 }], 8)]] };
  },
  lake() {
    const next = seeded(17);
    const water = times(54, (index) => ray(-20 + next() * 250, 186 + index * 2.1, 0, 40 + next() * 110, 2.4, (next() - 0.5) * 0.06));
    const hall = times(13, (index) => ray(66 + index * 14, 172, -90, index === 6 ? 104 : 76 - Math.abs(index - 6) * 4, 5));
    return { ground: sand, layers: [[ink, ribbonPath([{ x: 34, y: 116 }, { x: 150, y: 66 }, { x: 266, y: 116 }], 4) + strokePath(hall) + "M30 174h240v3h-240z"], [gold, strokePath(water)]] };
  },
  /** The city across the river, after dark. */
  skyline() {
    const next = seeded(43);
    const houses = times(38, (index) => ray(10 + index * 7.6, 196, -90, 34 + next() * 46 + Math.max(0, 84 - Math.abs(index - 14) * 13) + Math.max(0, 62 - Math.abs(index - 27) * 14), 6.4, (next() - 0.5) * 0.03));
    const [dark, lit] = every(houses, 7, 3);
    const water = times(46, (index) => ray(-20 + next() * 260, 206 + index * 2.1, 0, 30 + next() * 100, 2.2, (next() - 0.5) * 0.06));
    const [calm, shining] = every(water, 4, 1);
    const moon = times(40, (index) => ray(236 + Math.cos((index * 9 * Math.PI) / 180) * 15, 56 + Math.sin((index * 9 * Math.PI) / 180) * 15, index * 9, 9 + (index % 2) * 4, 2.4));
    return { ground: ink, layers: [[paper, strokePath(dark)], [light, strokePath(lit) + strokePath(shining) + strokePath(moon)], ["#7d5a70", strokePath(calm)]] };
  },
  /** A day's 24 hours, noon on top; the long strokes are the event's. */
  hours() {
    const half = (index: number) => {
      const turn = index * 7.5 + 90;
      const open = index >= 19 && index < 40;
      const at = { x: 150 + Math.cos((turn * Math.PI) / 180) * 62, y: 150 + Math.sin((turn * Math.PI) / 180) * 62 };
      return { open, stroke: ray(at.x, at.y, turn, open ? (index % 2 ? 72 : 58) : 20, open ? 6 : 3.6, 0.1) };
    };
    const all = times(48, half);
    const chosen = all.filter(({ open }) => open).map(({ stroke }) => stroke);
    const [most, some] = every(chosen, 7, 3);
    return { ground: paper, layers: [["#d9c3b0", strokePath(all.filter(({ open }) => !open).map(({ stroke }) => stroke))], [ink, strokePath(most)], [wine, strokePath(some)]] };
  },
};

/** The same path from another origin: all but its first move is relative. */
function shifted(path: string, x: number, y: number): string {
  const move = ({ x: dx, y: dy }: Point) => `M${Math.round((dx + x) * 10) / 10} ${Math.round((dy + y) * 10) / 10}`;
  return path.replace(/^M(-?[\d.]+) ?(-?[\d.]+)/, (_, first: string, second: string) => move({ x: Number(first), y: Number(second) }));
}
