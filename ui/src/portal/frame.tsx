import type { ReactNode } from "react";

export function Frame({ children }: { children: ReactNode }) {
  return <div className="portal frame">{children}</div>;
}
