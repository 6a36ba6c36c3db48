import type { LashDrawing } from "./lash-drawing";

/** A closed eye; `laid` says which groups of its lashes are there. */
export function LashesLaid({ drawing, laid }: { drawing: LashDrawing; laid: boolean[] }) {
  return (
    <svg className="lashes-laid" viewBox="0 0 240 104" aria-hidden="true" focusable="false">
      {drawing.groups.map((path, index) => <path key={index} d={path} data-laid={laid[index] || undefined} />)}
      <path className="lid" d={drawing.lid} />
    </svg>
  );
}
