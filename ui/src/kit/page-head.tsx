import type { ReactNode } from "react";

interface PageHeadProps {
  eyebrow?: ReactNode;
  title: ReactNode;
  lead?: string;
  /** A drawing beside the title on wide screens. */
  art?: ReactNode;
  children?: ReactNode;
}

export function PageHead({ eyebrow, title, lead, art, children }: PageHeadProps) {
  return (
    <header className={art ? "page-head page-head-split frame" : "page-head frame"}>
      <div>
        {eyebrow && <p className="eyebrow">{eyebrow}</p>}
        <h1>{title}</h1>
        {lead && <p className="lead">{lead}</p>}
        {children}
      </div>
      {art && <div className="page-head-art">{art}</div>}
    </header>
  );
}
