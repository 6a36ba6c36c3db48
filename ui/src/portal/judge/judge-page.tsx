import { useCallback } from "react";
import { Failure } from "../../kit/loaded";
import { Frame, Title, Loading, type PortalData } from "../frame";
import { SignIn, type Access } from "../sign-in";
import { useSignedIn, type Area } from "../use-signed-in";
import { askForLink, signIn, askSession, readWork, signOut, type Session, type Terms, type Work } from "./api";
import { Scoring } from "./scoring";

const title = "Judging";

const access: Access = {
  title,
  lead: "This is where the judges score the nominations.",
  hint: "The one that your invitation came to.",
  noAddress: "Please enter the email address of your invitation",
  condition: "is a judge\u2019s address",
  askForLink,
  signIn,
};

/** The page on which judges score. */
export function JudgePage({ data }: { data: PortalData }) {
  const { state, load, reload, accept, leave, end } = useJudge();
  switch (state.at) {
    case "loading":
      return <Loading title={title} />;
    case "failed":
      return <Frame><Title>{title}</Title><Failure error={state.error} onRetry={load}>Your work could not be loaded.</Failure></Frame>;
    case "signedOut":
      return <Frame><SignIn access={access} note={state.note} organiserEmail={data.email} onSignedIn={load} /></Frame>;
    case "signedIn":
      return <Scoring key={state.session.id} session={state.session} work={state.work} reload={reload} accept={accept} leave={leave} end={end} />;
  }
}

interface Judging {
  session: Session;
  work: Work;
}

const area: Area<Judging> = {
  signIn,
  read: async () => {
    const session = await askSession();
    return session === null ? null : { session, work: await readWork() };
  },
  signOut,
  ended: "Your session has ended. Please sign in again: points that were not sent yet are kept on this device.",
};

/** Which judge is signed in, and what there is to score. */
function useJudge() {
  const { state, load, update, refresh, leave, end } = useSignedIn(area);
  const reload = useCallback(() => refresh(async () => {
    const [session, work] = await Promise.all([askSession(), readWork()]);
    return (before) => ({ session: session ?? before.session, work });
  }), [refresh]);
  const accept = useCallback((terms: Terms) => update((before) => ({ ...before, session: { ...before.session, terms } })), [update]);
  return { state, load, reload, accept, leave, end };
}
