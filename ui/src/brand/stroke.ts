/**
 * The geometry of the brand's one motif: a tapered stroke, shaped like a lash.
 *
 * Everything here is a pure function of its arguments: the same seed gives the same drawing on the server and in
 * the browser. Angles are in degrees: 0 points right and 90 down, because the y axis of SVG points down.
 */

export interface Point {
  x: number;
  y: number;
}

export interface Stroke {
  root: Point;
  angle: number;
  length: number;
  /** The thickness at the root; the other end is a point. */
  width: number;
  /** How far the middle is moved sideways, as a share of the length; a positive value bends clockwise. */
  bend: number;
}

/** A quadratic curve: start, control, end. */
export type Curve = readonly [Point, Point, Point];

/** A repeatable sequence of numbers in [0, 1) (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export function pointOn([start, control, end]: Curve, t: number): Point {
  const u = 1 - t;
  return {
    x: u * u * start.x + 2 * u * t * control.x + t * t * end.x,
    y: u * u * start.y + 2 * u * t * control.y + t * t * end.y,
  };
}

/** The direction of the curve's normal, clockwise from its own direction. */
export function normalOn([start, control, end]: Curve, t: number): number {
  const dx = (1 - t) * (control.x - start.x) + t * (end.x - control.x);
  const dy = (1 - t) * (control.y - start.y) + t * (end.y - control.y);
  return (Math.atan2(dy, dx) * 180) / Math.PI + 90;
}

export function tipOf({ root, angle, length }: Stroke): Point {
  const turn = (angle * Math.PI) / 180;
  return { x: root.x + Math.cos(turn) * length, y: root.y + Math.sin(turn) * length };
}

/**
 * The path data of several strokes. Each is a closed shape of two quadratic curves from its root to its tip. Coordinates are
 * rounded to a multiple of `grid` tenths: a coarser grid is enough for a large drawing, and makes the path shorter.
 */
export function strokePath(strokes: readonly Stroke[], grid = 1): string {
  const tenths = ({ x, y }: Point): Point => ({ x: Math.round((x * 10) / grid) * grid, y: Math.round((y * 10) / grid) * grid });
  let at: Point = { x: 0, y: 0 };
  let path = "";
  for (const stroke of strokes) {
    const { root, width, length, bend } = stroke;
    const turn = (stroke.angle * Math.PI) / 180;
    const along = { x: Math.cos(turn), y: Math.sin(turn) };
    const across = { x: -along.y, y: along.x };
    const at2 = (forward: number, sideways: number): Point => ({
      x: root.x + along.x * forward + across.x * sideways,
      y: root.y + along.y * forward + across.y * sideways,
    });
    const left = tenths(at2(0, -width / 2));
    const right = tenths(at2(0, width / 2));
    const tip = tenths(at2(length, 0));
    const belly = bend * length;
    const out = tenths(at2(length * 0.52, belly - width * 0.42));
    const back = tenths(at2(length * 0.52, belly + width * 0.42));
    path += `m${pair(at, left)}q${pair(left, out)}${joined(pair(left, tip))}q${pair(tip, back)}${joined(pair(tip, right))}z`;
    at = left;
  }
  // At the start of a path `m` and `M` mean the same; `M` is the usual one.
  return path.replace(/^m/, "M");
}

/** A line along a curve that is thickest in its middle, for a lid or a crease. */
export function ribbonPath([start, control, end]: Curve, thickness: number): string {
  const from = tenths(start);
  const to = tenths(end);
  const over = tenths({ x: control.x, y: control.y - thickness });
  const under = tenths({ x: control.x, y: control.y + thickness });
  return `M${pair({ x: 0, y: 0 }, from)}q${pair(from, over)}${joined(pair(from, to))}q${pair(to, under)}${joined(pair(to, from))}z`;
}

export interface FanOptions {
  count: number;
  seed: number;
  length: number;
  width: number;
  /** Where along the curve the strokes are longest. */
  peak?: number;
  /** How much shorter the ends are than the peak, as a share. */
  falloff?: number;
  /** Degrees by which the outermost strokes lean further out than the curve's normal. */
  spread?: number;
  bend?: number;
  jitter?: number;
  from?: number;
  to?: number;
  /** Degrees by which each stroke is turned: 180 makes lashes that point up. */
  turn?: number;
}

/** Strokes along a curve that fan out to both sides and are longest at the peak. */
export function fan(curve: Curve, options: FanOptions): Stroke[] {
  const { count, seed, length, width, peak = 0.6, falloff = 0.55, spread = 24, bend = 0.2, jitter = 1, from = 0, to = 1, turn = 0 } = options;
  const next = seeded(seed);
  const wobble = (amount: number) => (next() - 0.5) * 2 * amount * jitter;
  return Array.from({ length: count }, (_, index) => {
    const t = from + ((to - from) * (index + 0.5)) / count + wobble(0.28 / count);
    const side = (t - 0.5) * 2;
    const distance = (t - peak) / (t < peak ? peak : 1 - peak);
    const share = 1 - falloff * distance * distance;
    return {
      root: pointOn(curve, t),
      angle: normalOn(curve, t) + turn - side * spread + wobble(3.2),
      length: length * share * (1 + wobble(0.11)),
      width: width * (0.72 + 0.28 * share) * (1 + wobble(0.16)),
      // The bend changes gradually in the middle. With a step, neighbouring strokes of the two sides would cross.
      bend: bend * Math.max(-1, Math.min(1, side * 1.4)) * (turn === 180 ? -1 : 1) + wobble(0.025),
    };
  });
}

export interface BrowOptions {
  count: number;
  seed: number;
  /** The length of the longest hairs. */
  length: number;
  width: number;
  /** The thickness of the brow's body, from edge to edge of the roots. */
  body: number;
  /** From 0, as it grew, to 1, combed straight up as after a lamination. */
  combed?: number;
}

/** The hairs of a brow above its lower edge: upright at the inner end, flat along the tail. */
export function brow(lower: Curve, { count, seed, length, width, body, combed = 0 }: BrowOptions): Stroke[] {
  const next = seeded(seed);
  return Array.from({ length: count }, (_, index) => {
    const t = Math.min(0.995, (index + next()) / count);
    const row = next();
    const fullness = Math.min(1, 0.5 + t * 2.2) * (1 - t) ** 0.55;
    const grown = 74 * (1 - t) ** 1.3 + 26 * (1 - row) - 8;
    const foot = pointOn(lower, t);
    return {
      root: { x: foot.x, y: foot.y - row * body * fullness },
      angle: normalOn(lower, t) - 90 - grown * (1 - combed) - (72 - 40 * t) * combed + (next() - 0.5) * 10,
      length: length * (0.45 + 0.55 * fullness) * (0.75 + next() * 0.4),
      width: width * (0.6 + 0.4 * fullness) * (0.8 + next() * 0.4),
      bend: (0.08 + next() * 0.1) * (row > 0.7 ? 0.4 : 1),
    };
  });
}

function tenths({ x, y }: Point): Point {
  return { x: Math.round(x * 10), y: Math.round(y * 10) };
}

/** The relative coordinates from one point to another, both in tenths, in the shortest form that SVG allows. */
function pair(from: Point, to: Point): string {
  return short(to.x - from.x) + joined(short(to.y - from.y));
}

function short(tenth: number): string {
  const text = (Math.round(tenth) / 10).toString();
  return text.replace(/^(-?)0\./, "$1.");
}

function joined(text: string): string {
  return text.startsWith("-") ? text : ` ${text}`;
}
