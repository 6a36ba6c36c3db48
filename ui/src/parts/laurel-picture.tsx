import { laurel } from "./laurel";

const path = laurel();

export function Laurel() {
  return (
    <svg className="laurel mark" viewBox="-110 -110 220 220" aria-hidden="true" focusable="false">
      <path className="gold" d={path} />
    </svg>
  );
}
