import { useCallback } from "react";
import { askSession, readNomination, readNominations, readRelations, signIn, signOut, type Nomination, type Relations } from "./api";
import { forgetFiles } from "./kept-files";
import { useSignedIn, type Area } from "./use-signed-in";

interface Portal {
  email: string;
  nominations: Nomination[];
  /** Without them, the portal does without that section. */
  relations: Relations | null;
}

const area: Area<Portal> = {
  signIn,
  read: async () => {
    const email = await askSession();
    if (email === null) return null;
    const [nominations, relations] = await Promise.all([readNominations(), readRelations().catch(() => null)]);
    return { email, nominations, relations };
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
  const say = useCallback((relations: Relations) => update((before) => ({ ...before, relations })), [update]);
  const reload = useCallback((id: number) => refresh(async () => replacing(await readNomination(id))), [refresh]);
  return { state, load, reload, replace, say, leave, end };
}
