import type { ComponentType } from "react";
import { PartFrame, type Later } from "./later";

/** The server's `later`: the same place with the part in it (the build takes `.server` files first there). */
export function atOnce<Props extends object>(Part: ComponentType<Props>): Later<Props> {
  return {
    View: (props) => <PartFrame><Part {...props} /></PartFrame>,
    ready: () => Promise.resolve(),
  };
}
