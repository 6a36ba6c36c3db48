import { laurelBranch } from "./laurel";
import { strokePath } from "./stroke";

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
