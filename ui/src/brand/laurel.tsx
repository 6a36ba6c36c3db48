import { pointOn, strokePath, type Curve, type Stroke } from "./stroke";

const left: Curve = [{ x: 0, y: 92 }, { x: -104, y: 52 }, { x: -52, y: -86 }];

/** One of two branches that rise around a place for a figure or a word; the origin is its middle. */
function laurelBranch(scale = 1): Stroke[] {
  return Array.from({ length: 17 }, (_, index): Stroke[] => {
    const t = 0.06 + (index / 17) * 0.94;
    const at = pointOn(left, t);
    const along = 196 + t * 106;
    const length = (30 - 12 * Math.abs(t - 0.45)) * scale;
    const root = { x: at.x * scale, y: at.y * scale };
    return [
      { root, angle: along - 34, length, width: 5.4 * scale, bend: 0.2 },
      { root, angle: along + 40, length: length * 0.82, width: 4.6 * scale, bend: -0.2 },
    ];
  }).flat();
}

/** The awards: both branches. */
export function laurel(scale = 1): string {
  const branch = laurelBranch(scale);
  const mirrored = branch.map((stroke) => ({
    ...stroke, root: { x: -stroke.root.x, y: stroke.root.y }, angle: 180 - stroke.angle, bend: -stroke.bend,
  }));
  return strokePath([...branch, ...mirrored]);
}

const branch = strokePath(laurelBranch());

/** The awards' laurel; its right half is the left one mirrored. */
export function Laurel() {
  return (
    <svg className="laurel mark" viewBox="-110 -110 220 220" aria-hidden="true" focusable="false">
      <path id="laurel-branch" className="gold" d={branch} />
      <use href="#laurel-branch" transform="scale(-1 1)" />
    </svg>
  );
}
