import { useCallback } from "react";
import { useSignedIn, type Area } from "../use-signed-in";
import { askSession, readWork, signIn, signOut, type Session, type Terms, type Work } from "./api";

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
export function useJudge() {
  const { state, load, update, refresh, leave, end } = useSignedIn(area);
  const reload = useCallback(() => refresh(async () => {
    const [session, work] = await Promise.all([askSession(), readWork()]);
    return (before) => ({ session: session ?? before.session, work });
  }), [refresh]);
  const accept = useCallback((terms: Terms) => update((before) => ({ ...before, session: { ...before.session, terms } })), [update]);
  return { state, load, reload, accept, leave, end };
}
