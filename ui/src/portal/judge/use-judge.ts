import { useCallback } from "react";
import { useSignedIn, type Area } from "../use-signed-in";
import { askSession, readWork, signIn, signOut, type Session, type Terms, type Work } from "./api";
import { forgetChanges } from "./kept-changes";

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
  signOut: async (everywhere) => {
    await signOut(everywhere);
    await forgetChanges();
  },
  ended: "Your session has ended. Please sign in again: points that were not sent yet are kept on this device.",
};

/** Which judge is signed in, and what there is to score. */
export function useJudge() {
  const { state, load, update, refresh, leave, end } = useSignedIn(area);
  const reload = useCallback(() => refresh(async () => {
    const work = await readWork();
    return (before) => ({ ...before, work });
  }), [refresh]);
  const accept = useCallback((terms: Terms) => update((before) => ({ ...before, session: { ...before.session, terms } })), [update]);
  return { state, load, reload, accept, leave, end };
}
