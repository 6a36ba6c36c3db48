import { useCallback, useEffect, useState } from "react";
import { detailOf } from "../lib/api-error";
import { isSignedOut, signInByLink, tokenIn } from "./session";

export type SignedInState<Content> =
  | { at: "loading" }
  | { at: "failed"; error: unknown }
  | { at: "signedOut"; note: string }
  | { at: "signedIn" } & Content;

/** What people sign in to. The object must be the same at every render. */
export interface Area<Content> {
  signIn: (credentials: { token: string }) => Promise<unknown>;
  /** What is shown to whoever is signed in; null if nobody is. */
  read: () => Promise<Content | null>;
  /** Signs out, on this device or on all. */
  signOut: (everywhere: boolean) => Promise<void>;
  /** The message after the session has expired. */
  ended: string;
}

/** Who is signed in. The link in an email signs in by itself. */
export function useSignedIn<Content>({ signIn, read, signOut, ended }: Area<Content>) {
  const [state, setState] = useState<SignedInState<Content>>({ at: "loading" });

  const load = useCallback(async () => {
    try {
      // An old link does not end a session that is there.
      let note = "";
      await signInByLink(signIn).catch((error: unknown) => {
        if (!isSignedOut(error)) throw error;
        note = detailOf(error) ?? "";
      });
      const content = await read();
      setState(content === null ? { at: "signedOut", note } : { at: "signedIn", ...content });
    } catch (error) {
      if (isSignedOut(error)) setState({ at: "signedOut", note: detailOf(error) ?? "" });
      else setState({ at: "failed", error });
    }
  }, [signIn, read]);

  useEffect(() => {
    void load();
    // A link that is opened while the page is shown changes nothing but the fragment.
    const onLink = () => tokenIn(location.hash) && void load();
    addEventListener("hashchange", onLink);
    return () => removeEventListener("hashchange", onLink);
  }, [load]);

  const end = useCallback(() => setState({ at: "signedOut", note: ended }), [ended]);

  const update = useCallback((change: (before: Content) => Content) =>
    setState((before) => before.at === "signedIn" ? { ...before, ...change(before) } : before), []);

  /** Reloads the data. If that fails, the earlier data stays, unless the session has ended. */
  const refresh = useCallback(async (change: () => Promise<(before: Content) => Content>) => {
    try {
      update(await change());
    } catch (error) {
      if (isSignedOut(error)) end();
    }
  }, [update, end]);

  const leave = useCallback(async (everywhere: boolean) => {
    await signOut(everywhere);
    setState({ at: "signedOut", note: everywhere ? "You are signed out everywhere, and the links in earlier emails no longer work." : "You are signed out." });
  }, [signOut]);

  return { state, load, update, refresh, leave, end };
}
