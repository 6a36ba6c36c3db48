import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { useLocation, useSearch } from "wouter";
import { Frame } from "../frame";
import type { Session, Sheet, Terms, Work } from "./api";
import { Changes, type Sending } from "./changes";
import { JudgeAccount } from "./judge-account";
import { HeadJudge } from "./head-judge";
import { People } from "./people";
import { SheetPage } from "./sheet-page";
import { Sheets } from "./sheets";
import { TermsPage } from "./terms-page";
import { WorkList } from "./work-list";

export interface ScoringProps {
  session: Session;
  work: Work;
  reload: () => Promise<void>;
  accept: (terms: Terms) => void;
  leave: (everywhere: boolean) => Promise<void>;
  end: () => void;
}

/** What the parts of the judges' page have in common. */
export interface ScoringContext {
  work: Work;
  sheets: Sheets;
  changes: Changes;
  sending: Sending;
  /** Reads the list of work again, and whether the terms are accepted. */
  reload: () => Promise<void>;
  /** Shows a sheet, "people" or "panel"; without an argument, the list. */
  open: (place?: string) => void;
}

/** What a judge sees once signed in: the terms first, then the list, or one nomination. */
export function Scoring({ session, work, reload, accept, leave, end }: ScoringProps) {
  const sheets = useMemo(() => new Sheets(), []);
  const changes = useChanges(session, sheets, reload, end);
  const sending = useSyncExternalStore(changes.subscribe, changes.shown, changes.shown);
  const [path, navigate] = useLocation();
  const place = new URLSearchParams(useSearch()).get("show");
  const open = useCallback((next?: string) => navigate(next === undefined ? path : `${path}?show=${encodeURIComponent(next)}`), [navigate, path]);
  const context: ScoringContext = { work, sheets, changes, sending, reload, open };
  const account = <JudgeAccount email={session.email} changes={changes} leave={leave} />;
  if (!session.terms.accepted) return <Frame><TermsPage terms={session.terms} onAccepted={accept} />{account}</Frame>;
  if (place !== null && work.items.some(({ token }) => token === place)) return <div className="portal judge-sheet-page"><SheetPage key={place} token={place} context={context} /></div>;
  return (
    <Frame>
      {place === "people" ? <People context={context} /> : place === "panel" ? <HeadJudge context={context} /> : <WorkList name={session.name} context={context} />}
      {account}
    </Frame>
  );
}

/** Sends the values of this session, and those that an earlier page could not send. */
function useChanges({ id, terms }: Session, sheets: Sheets, reload: () => Promise<void>, onSignedOut: () => void): Changes {
  const [latest] = useState(() => ({ reload }));
  useEffect(() => {
    latest.reload = reload;
  });
  const changes = useMemo(() => new Changes(id, {
    onStored: (sheet: Sheet) => sheets.put(sheet),
    onRefused: (token) => void sheets.load(token).then(() => latest.reload()),
    onTermsRequired: () => void latest.reload(),
    onSignedOut,
  }), [id, sheets, latest, onSignedOut]);
  // Whenever the terms have been loaded: they may have been accepted in another tab.
  useEffect(() => (terms.accepted ? changes.start() : undefined), [changes, terms]);
  return changes;
}
