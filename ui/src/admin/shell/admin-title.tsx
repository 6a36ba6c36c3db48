import type { ReactNode } from "react";
import { useArrival } from "./arrival";

export function AdminTitle({ children }: { children: ReactNode }) {
  const title = useArrival<HTMLHeadingElement>();
  return <h1 ref={title} tabIndex={-1} className="admin-title">{children}</h1>;
}
