import { brow, strokePath, type Curve } from "./stroke";

const edge: Curve = [{ x: 0, y: 20 }, { x: 84, y: 2 }, { x: 160, y: 17 }];
const path = strokePath(brow(edge, { count: 54, seed: 5, length: 17, width: 1.3, body: 7 }));

/** A small brow between two parts of a page. */
export function Divider() {
  return (
    <svg className="divider" viewBox="-6 -10 176 36" aria-hidden="true" focusable="false">
      <path d={path} />
    </svg>
  );
}
