import { describe, expect, it } from "vitest";
import { brow, fan, normalOn, pointOn, ribbonPath, seeded, strokePath, tipOf, type Curve, type Stroke } from "./stroke";

const lid: Curve = [{ x: 0, y: 0 }, { x: 50, y: 40 }, { x: 100, y: 0 }];

describe("stroke geometry", () => {
  it("repeats itself for the same seed and not for another", () => {
    const take = (seed: number) => Array.from({ length: 5 }, seeded(seed));
    expect(take(7)).toEqual(take(7));
    expect(take(7)).not.toEqual(take(8));
    for (const value of take(7)) expect(value >= 0 && value < 1).toBe(true);
  });

  it("finds points and normals on a curve", () => {
    expect(pointOn(lid, 0.5)).toEqual({ x: 50, y: 20 });
    expect(normalOn(lid, 0.5)).toBeCloseTo(90);
    expect(tipOf({ root: { x: 0, y: 0 }, angle: 90, length: 10, width: 1, bend: 0 }).y).toBeCloseTo(10);
  });

  it("draws a stroke as two quadratic curves with short relative numbers", () => {
    const path = strokePath([{ root: { x: 10, y: 10 }, angle: 90, length: 20, width: 2, bend: 0 }]);
    expect(path).toBe("M11 10q-.2 10.4-1 20q-.8-9.6-1-20z");
  });

  it("sets the strokes of a fan longest at its peak", () => {
    const strokes = fan(lid, { count: 21, seed: 3, length: 30, width: 2, peak: 0.6, jitter: 0 });
    const longest = strokes.reduce((best, stroke, index) => (stroke.length > strokes[best]!.length ? index : best), 0);
    expect(longest).toBe(12);
    expect(strokes[0]!.angle).toBeGreaterThan(strokes[20]!.angle);
  });

  it("lets no two neighbours of a calm fan lean into each other", () => {
    const wide: Curve = [{ x: 34, y: 40 }, { x: 700, y: 470 }, { x: 1406, y: 22 }];
    const middle = ({ root, angle, length, bend }: Stroke) => root.x + Math.cos((angle * Math.PI) / 180) * length * 0.5 - Math.sin((angle * Math.PI) / 180) * bend * length * 0.5;
    const strokes = fan(wide, { count: 106, seed: 29, length: 224, width: 5, jitter: 0.5 });
    const gaps = strokes.slice(1).map((stroke, index) => middle(stroke) - middle(strokes[index]!));
    expect(Math.min(...gaps)).toBeGreaterThan(4);
  });

  it("keeps to finite numbers", () => {
    const all = strokePath([...fan(lid, { count: 40, seed: 1, length: 9, width: 1 }), ...brow(lid, { count: 40, seed: 2, length: 9, width: 1, body: 5 })]);
    expect(all).not.toMatch(/NaN|e|Infinity/);
    expect(ribbonPath(lid, 3)).toBe("M0 0q50 37 100 0q-50 43-100 0z");
  });
});
