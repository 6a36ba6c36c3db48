import { useMemo } from "react";
import { fan, ribbonPath, strokePath, type Curve } from "./stroke";

const lid: Curve = [{ x: 12, y: 12 }, { x: 120, y: 62 }, { x: 228, y: 12 }];
const lidPath = ribbonPath(lid, 2.6);
const lashesInGroup = 5;

/** A closed eye whose lashes are laid group by group; `laid` says which are there. */
export function LashesLaid({ laid }: { laid: boolean[] }) {
  const groups = useMemo(() => lashGroups(laid.length), [laid.length]);
  return (
    <svg className="lashes-laid" viewBox="0 0 240 104" aria-hidden="true" focusable="false">
      {groups.map((path, index) => <path key={index} d={path} data-laid={laid[index] || undefined} />)}
      <path className="lid" d={lidPath} />
    </svg>
  );
}

function lashGroups(groups: number): string[] {
  const count = groups * lashesInGroup;
  const lashes = fan(lid, { count, seed: 7, length: 62, width: 2.6, spread: 20, falloff: 0.45, from: 0.02, to: 0.98 });
  return Array.from({ length: groups }, (_, index) =>
    strokePath(lashes.slice(index * lashesInGroup, (index + 1) * lashesInGroup)),
  );
}
