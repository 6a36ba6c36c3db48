import { brow, fan, ribbonPath, strokePath, type Curve, type Stroke } from "./stroke";

const lid: Curve = [{ x: 34, y: 40 }, { x: 700, y: 470 }, { x: 1406, y: 22 }];
const browEdge: Curve = [{ x: 24, y: 166 }, { x: 860, y: 34 }, { x: 1388, y: 150 }];
const parts = 9;

/** The closed eye of the hero: some ninety lashes on the lid's own curve, in groups that can appear one by one. */
export function Eye() {
  return (
    <svg className="eye" viewBox="0 0 1440 500" aria-hidden="true" focusable="false">
      {lashGroups.map((group, index) => (
        <g key={index} className="lashes">
          <path d={group.ink} />
          {group.rose && <path className="rose" d={group.rose} />}
          {group.gold && <path className="gold" d={group.gold} />}
        </g>
      ))}
      <path d={lidPath} />
    </svg>
  );
}

export function Brow() {
  return (
    <svg className="brow" viewBox="0 0 1440 176" aria-hidden="true" focusable="false">
      <path d={browPath} />
    </svg>
  );
}

const lidPath = ribbonPath(lid, 13);
const browPath = strokePath(brow(browEdge, { count: 190, seed: 11, length: 72, width: 3.4, body: 44 }), 5);
// With more chance in it, some lashes would lie across their neighbours as dark blots.
const lashGroups = groupLashes(fan(lid, { count: 106, seed: 29, length: 224, width: 5, peak: 0.6, falloff: 0.5, spread: 22, bend: 0.2, jitter: 0.5, from: 0.012, to: 0.988 }));

/** Every eleventh lash is rose, every seventeenth gold. */
function groupLashes(lashes: Stroke[]) {
  const size = Math.ceil(lashes.length / parts);
  return Array.from({ length: parts }, (_, part) => {
    const colours: Record<"ink" | "rose" | "gold", Stroke[]> = { ink: [], rose: [], gold: [] };
    lashes.slice(part * size, (part + 1) * size).forEach((lash, index) => {
      const number = part * size + index;
      colours[number % 17 === 8 ? "gold" : number % 11 === 5 ? "rose" : "ink"].push(lash);
    });
    return { ink: strokePath(colours.ink, 5), rose: strokePath(colours.rose, 5), gold: strokePath(colours.gold, 5) };
  });
}
