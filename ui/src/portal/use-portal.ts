import { useCallback } from "react";
import { askSession, readNomination, readNominations, signIn, signOut, type Nomination } from "./api";
import { forgetFiles } from "./kept-files";
import { useSignedIn, type Area } from "./use-signed-in";

interface Portal {
  email: string;
  nominations: Nomination[];
  tickets: string[];
}

const area: Area<Portal> = {
  signIn,
  read: async () => {
    const email = await askSession();
    if (email === null) return null;
    const { items, tickets } = await readNominations();
    return { email, nominations: items, tickets };
  },
  signOut: async (everywhere) => {
    await signOut(everywhere);
    await forgetFiles();
  },
  ended: "Your session has ended. Please sign in again: uploads that were under way then continue.",
};

const replacing = (nomination: Nomination) => (before: Portal): Portal =>
  ({ ...before, nominations: before.nominations.map((one) => one.id === nomination.id ? nomination : one) });

/** Which competitor is signed in, and the nominations. */
export function usePortal() {
  const { state, load, update, refresh, leave, end } = useSignedIn(area);
  const replace = useCallback((nomination: Nomination) => update(replacing(nomination)), [update]);
  const reload = useCallback((id: number) => refresh(async () => replacing(await readNomination(id))), [refresh]);
  return { state, load, reload, replace, leave, end };
}
