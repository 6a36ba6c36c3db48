import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { useLocation, useSearch } from "wouter";
import { useSend, Form, FormFailure } from "../../kit/form";
import { Button } from "../../kit/button";
import { Dialog } from "../../kit/dialog";
import { Checkbox } from "../../kit/checkbox";
import { Paragraphs } from "../../kit/paragraphs";
import { Frame, Account, Title } from "../frame";
import { acceptTerms, type Session, type Sheet, type Terms, type Work } from "./api";
import { Changes, type Sending } from "./changes";
import { HeadJudge } from "./head-judge";
import { People } from "./people";
import { SheetPage } from "./sheet-page";
import { Sheets } from "./sheets";
import { WorkList } from "./work-list";
import { unsentText } from "./words";

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

interface Props {
  email: string;
  changes: Changes;
  leave: (everywhere: boolean) => Promise<void>;
}

/** The sign-out buttons. Everything is sent first, and the judge is asked about what cannot be sent. */
function JudgeAccount({ email, changes, leave }: Props) {
  const [asked, setAsked] = useState<{ everywhere: boolean; count: number }>();
  const signOut = async (everywhere: boolean) => {
    await changes.flush();
    const count = changes.shown().waiting.length;
    if (count === 0) await leave(everywhere);
    else setAsked({ everywhere, count });
  };
  const discard = async (everywhere: boolean) => {
    await leave(everywhere);
    changes.discard();
  };
  return (
    <>
      <Account email={email} leave={signOut} />
      {asked && <Unsent count={asked.count} onSignOut={() => discard(asked.everywhere)} onClose={() => setAsked(undefined)} />}
    </>
  );
}

function Unsent({ count, onSignOut, onClose }: { count: number; onSignOut: () => Promise<void>; onClose: () => void }) {
  const { busy, failure, send } = useSend({ failed: "You could not be signed out, and nothing was deleted. Please check your connection and try again." });
  return (
    <Dialog small title="Not everything has been sent" onClose={onClose} closeLabel="Stay signed in" actions={<Button busy={busy} busyLabel="Signing out…" onClick={() => send(onSignOut)}>Delete and sign out</Button>}>
      <p>{unsentText(count)}</p>
      <FormFailure>{failure}</FormFailure>
    </Dialog>
  );
}

/** What a judge agrees to before the first nomination. */
function TermsPage({ terms, onAccepted }: { terms: Terms; onAccepted: (terms: Terms) => void }) {
  const { busy, failure, send } = useSend({ fields: [] });
  const [accepted, setAccepted] = useState(false);
  const accept = () => send(async () => onAccepted(await acceptTerms(terms.version)), { accepted: !accepted && "Please agree to the terms first" });
  return (
    <>
      <Title takesFocus>Before you judge</Title>
      <p className="lead">Please read the terms for judges.</p>
      <div className="release-text prose"><Paragraphs text={terms.text} /></div>
      <Form className="portal-form" onSend={accept}>
        <FormFailure>{failure}</FormFailure>
        <Checkbox label="I have read the terms and agree to them." checked={accepted} onChange={({ target }) => setAccepted(target.checked)} />
        <Button type="submit" busy={busy} busyLabel="Saving…">Start judging</Button>
      </Form>
    </>
  );
}
