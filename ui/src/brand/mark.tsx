import type { MarkName } from "./mark-names";
import marks from "./pictures/marks.svg";

interface MarkProps {
  name: MarkName;
  alt: string;
  loading: "eager" | "lazy";
}

/** The drawing of one of the eight categories. */
export function Mark({ name, alt, loading }: MarkProps) {
  return <img className="drawing" src={`${marks}#${name}`} alt={alt} width={240} height={160} loading={loading} decoding="async" draggable={false} />;
}
