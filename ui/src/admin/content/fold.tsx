import { useId, useState, type ReactNode } from "react";
import { usePage } from "./page-form";
import { isWithin } from "./paths";

interface Props {
  title: ReactNode;
  /** A badge beside the title, such as "Sample". */
  mark?: string | false;
  /** The values inside. It counts their problems, and opens for the one that takes the focus. */
  paths: readonly string[];
  heading?: "h2";
  open?: boolean;
  children: ReactNode;
}

/** A collapsible part of the form. Its fields are rendered only while it is open. */
export function Fold({ title, mark, paths, heading: Heading, open = false, children }: Props) {
  const id = useId();
  const { focused, problems: all, base } = usePage();
  const within = (path: string) => paths.some((outer) => isWithin(path, outer));
  const isWanted = focused !== null && within(focused.path);
  const [isOpen, setOpen] = useState(open || isWanted);
  const [openedFor, setOpenedFor] = useState(focused);
  if (openedFor !== focused) {
    setOpenedFor(focused);
    if (isWanted) setOpen(true);
  }
  const problems = Object.keys(all).filter(within).length;
  const unconfirmed = base.value.unconfirmed.filter(within).length;
  const button = (
    <button type="button" className="site-fold-button" aria-expanded={isOpen} aria-controls={isOpen ? id : undefined} onClick={() => setOpen(!isOpen)}>
      <span className="site-fold-title">{title}</span>
      {mark && <span className="site-mark">{mark}</span>}
      {unconfirmed > 0 && <span className="site-mark">{unconfirmed} to be confirmed</span>}
      {problems > 0 && <span className="site-mark is-problem">{problems === 1 ? "1 problem" : `${problems} problems`}</span>}
    </button>
  );
  return (
    <div className={Heading ? "site-fold is-section" : "site-fold"}>
      {Heading ? <Heading className="site-fold-heading">{button}</Heading> : button}
      {isOpen && <div id={id} className="site-fold-body">{children}</div>}
    </div>
  );
}
