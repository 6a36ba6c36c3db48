import { Suspense, type ComponentType } from "react";
import type { Later } from "./later";

/** The server's `later`: the same place with the part in it (the build takes `.server` files first there). */
export function atOnce<Props extends object>(Part: ComponentType<Props>): Later<Props> {
  return {
    View: (props) => <Suspense fallback={null}><Part {...props} /></Suspense>,
    ready: () => Promise.resolve(),
  };
}
