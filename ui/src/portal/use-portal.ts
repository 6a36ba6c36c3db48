import { useCallback, useEffect, useState } from "react";
import { detailOf } from "../lib/api-error";
import { askSession, readNomination, readNominations, readRelations, signIn, signOut, type Nomination, type Relations } from "./api";
import { forgetFiles } from "./kept-files";
import { isSignedOut, takeToken, tokenIn } from "./session";

export type PortalState =
  | { at: "loading" }
  | { at: "failed"; error: unknown }
  | { at: "wayIn"; note: string }
  | { at: "in"; email: string; nominations: Nomination[]; relations: Relations | null };

const ended = "Your session has ended. Please sign in again: uploads that were under way then continue.";

/** Who is signed in, and the nominations. The link in an email signs in by itself. */
export function usePortal() {
  const [state, setState] = useState<PortalState>({ at: "loading" });

  const load = useCallback(async () => {
    try {
      const token = takeToken();
      if (token) await signIn({ token });
      const email = await askSession();
      if (email === null) setState({ at: "wayIn", note: "" });
      else {
        // Without them the portal does without that section.
        const [nominations, relations] = await Promise.all([readNominations(), readRelations().catch(() => null)]);
        setState({ at: "in", email, nominations, relations });
      }
    } catch (error) {
      if (isSignedOut(error)) setState({ at: "wayIn", note: detailOf(error) ?? "" });
      else setState({ at: "failed", error });
    }
  }, []);

  useEffect(() => {
    void load();
    // A link that is opened while the page is shown changes nothing but the fragment.
    const onLink = () => tokenIn(location.hash) && void load();
    addEventListener("hashchange", onLink);
    return () => removeEventListener("hashchange", onLink);
  }, [load]);

  const replace = useCallback((nomination: Nomination) => setState((before) => before.at === "in"
    ? { ...before, nominations: before.nominations.map((one) => one.id === nomination.id ? nomination : one) }
    : before), []);

  const say = useCallback((relations: Relations) => setState((before) => before.at === "in" ? { ...before, relations } : before), []);

  const end = useCallback(() => setState({ at: "wayIn", note: ended }), []);

  const reload = useCallback(async (id: number) => {
    try {
      replace(await readNomination(id));
    } catch (error) {
      if (isSignedOut(error)) end();
    }
  }, [replace, end]);

  const leave = useCallback(async (everywhere: boolean) => {
    await signOut(everywhere);
    await forgetFiles();
    setState({ at: "wayIn", note: everywhere ? "You are signed out everywhere, and the links in earlier emails no longer work." : "You are signed out." });
  }, []);

  return { state, load, reload, replace, say, leave, end };
}
