import type { ReactNode } from "react";
import { useArrival } from "./arrival";

export function DeskTitle({ children }: { children: ReactNode }) {
  const title = useArrival<HTMLHeadingElement>();
  return <h1 ref={title} tabIndex={-1} className="desk-title">{children}</h1>;
}
