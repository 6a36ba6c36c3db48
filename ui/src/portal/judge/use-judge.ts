import { useCallback, useEffect, useState } from "react";
import { detailOf } from "../../lib/api-error";
import { isSignedOut, takeToken, tokenIn } from "../session";
import { askSession, readWork, signIn, signOut, type Session, type Terms, type Work } from "./api";
import { forgetChanges } from "./kept-changes";

export type JudgeState =
  | { at: "loading" }
  | { at: "failed"; error: unknown }
  | { at: "wayIn"; note: string }
  | { at: "in"; session: Session; work: Work };

const ended = "Your session has ended. Please sign in again: points that were not sent yet are kept on this device.";

/** Which judge is signed in, and what there is to score. The link in an email signs in by itself. */
export function useJudge() {
  const [state, setState] = useState<JudgeState>({ at: "loading" });

  const load = useCallback(async () => {
    try {
      const token = takeToken();
      if (token) await signIn({ token });
      const session = await askSession();
      if (session === null) setState({ at: "wayIn", note: "" });
      else setState({ at: "in", session, work: await readWork() });
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

  const end = useCallback(() => setState({ at: "wayIn", note: ended }), []);

  const reload = useCallback(async () => {
    try {
      const work = await readWork();
      setState((before) => before.at === "in" ? { ...before, work } : before);
    } catch (error) {
      if (isSignedOut(error)) end();
    }
  }, [end]);

  const accept = useCallback((terms: Terms) => setState((before) => before.at === "in" ? { ...before, session: { ...before.session, terms } } : before), []);

  const leave = useCallback(async (everywhere: boolean) => {
    await signOut(everywhere);
    await forgetChanges();
    setState({ at: "wayIn", note: everywhere ? "You are signed out everywhere, and the links in earlier emails no longer work." : "You are signed out." });
  }, []);

  return { state, load, reload, accept, leave, end };
}
