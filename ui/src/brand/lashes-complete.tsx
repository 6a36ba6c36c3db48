import { lashDrawing } from "./lash-drawing";
import { LashesLaid } from "./lashes-laid";

const drawing = lashDrawing(12);

/** The closed eye with all its lashes, or with none while something is awaited. */
export function LashesComplete({ laid = true }: { laid?: boolean }) {
  return <LashesLaid drawing={drawing} laid={drawing.groups.map(() => laid)} />;
}
