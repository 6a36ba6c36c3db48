import { createContext, useContext } from "react";
import type { Kind, OpeningFact } from "./answer-types";

/** The data of what every page shows around its own content. */
export interface Shell {
  name: string;
  shortName: string;
  dates: string;
  city: string;
  email: string;
  /** In a demo: the day as of which it shows the site, in words; "" for today. */
  demo: { asOf: string } | null;
  footnote: string;
  /** The offer that is on every page; null while entries are closed. */
  offer: { pass: string; fee: string } | null;
  chat: { href: string; label: string } | null;
  socials: { label: string; href: string }[];
  openings: Record<Kind, OpeningFact>;
  /** Where links to the forms lead that the organiser has closed. */
  closedPaths: string[];
}

export const ShellContext = createContext<Shell | null>(null);

export function useShell(): Shell {
  const shell = useContext(ShellContext);
  if (!shell) throw new Error("a page is shown outside of the shell");
  return shell;
}
