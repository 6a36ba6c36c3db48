import type { ReactNode } from "react";

interface DisclosureProps {
  summary: ReactNode;
  open?: boolean;
  children: ReactNode;
}

/** A part that opens below its summary. Searching in the page opens it too. */
export function Disclosure({ summary, open = false, children }: DisclosureProps) {
  return (
    <details className="disclosure" open={open}>
      <summary>{summary}</summary>
      <div className="disclosure-body">{children}</div>
    </details>
  );
}
