import { fan, ribbonPath, strokePath, type Curve } from "./stroke";

/** A closed eye; `laid` says which groups of its lashes are there. */
export function LashesLaid({ drawing, laid }: { drawing: LashDrawing; laid: boolean[] }) {
  return (
    <svg className="lashes-laid" viewBox="0 0 240 104" aria-hidden="true" focusable="false">
      {drawing.groups.map((path, index) => <path key={index} d={path} data-laid={laid[index] || undefined} />)}
      <path className="lid" d={drawing.lid} />
    </svg>
  );
}

/** A closed eye whose lashes are laid group by group, as paths. */
export interface LashDrawing {
  lid: string;
  groups: string[];
}

const lid: Curve = [{ x: 12, y: 12 }, { x: 120, y: 62 }, { x: 228, y: 12 }];
const lashesInGroup = 5;

export function lashDrawing(groups: number): LashDrawing {
  const count = groups * lashesInGroup;
  const lashes = fan(lid, { count, seed: 7, length: 62, width: 2.6, spread: 20, falloff: 0.45, from: 0.02, to: 0.98 });
  return {
    lid: ribbonPath(lid, 2.6),
    groups: Array.from({ length: groups }, (_, index) => strokePath(lashes.slice(index * lashesInGroup, (index + 1) * lashesInGroup))),
  };
}

const drawing = lashDrawing(12);

/** The closed eye with all its lashes, or with none while something is awaited. */
export function LashesComplete({ laid = true }: { laid?: boolean }) {
  return <LashesLaid drawing={drawing} laid={drawing.groups.map(() => laid)} />;
}
