import { useId, useState, type ReactNode } from "react";
import { useOpenedFor, useProblemCount, useUnconfirmedCount } from "./use-draft";
import { isWithin } from "./paths";

interface Props {
  title: ReactNode;
  /** A badge beside the title, such as "Sample". */
  mark?: string | false;
  /** The values inside. It starts open if the page was opened for one of them, and counts their problems. */
  paths: readonly string[];
  heading?: "h2";
  open?: boolean;
  children: ReactNode;
}

/** A collapsible part of the form. Its fields are rendered only while it is open. */
export function Fold({ title, mark, paths, heading, open = false, children }: Props) {
  const id = useId();
  const openedFor = useOpenedFor();
  const problems = useProblemCount(...paths);
  const unconfirmed = useUnconfirmedCount(paths);
  const [isOpen, setOpen] = useState(open || (openedFor !== null && paths.some((path) => isWithin(openedFor, path))));
  const button = (
    <button type="button" className="site-fold-button" aria-expanded={isOpen} aria-controls={isOpen ? id : undefined} onClick={() => setOpen(!isOpen)}>
      <span className="site-fold-title">{title}</span>
      {mark && <span className="site-mark">{mark}</span>}
      {unconfirmed > 0 && <span className="site-mark">{unconfirmed} to be confirmed</span>}
      {problems > 0 && <span className="site-mark is-problem">{problems === 1 ? "1 problem" : `${problems} problems`}</span>}
    </button>
  );
  const Heading = heading;
  return (
    <div className={heading ? "site-fold is-section" : "site-fold"}>
      {Heading ? <Heading className="site-fold-heading">{button}</Heading> : button}
      {isOpen && <div id={id} className="site-fold-body">{children}</div>}
    </div>
  );
}
