import { useCallback } from "react";
import type { OwnNomination } from "../lib/answer-types";
import { Failure } from "../kit/loaded";
import { askForLink, signIn, askSession, readNomination, readNominations, signOut } from "./api";
import { Frame, Title, Loading, type PortalData } from "./frame";
import { ScoreSheets } from "./print/score-sheets";
import { SignedIn } from "./signed-in";
import { SignIn, type Access } from "./sign-in";
import { forgetFiles } from "./photo-files";
import { useSignedIn, type Area } from "./use-signed-in";

const access: Access = {
  title: "Artist Portal",
  lead: "This is where you hand in your competition photos, with your model\u2019s release.",
  hint: "The one that you entered the competition with.",
  noAddress: "Please enter the email address of your entry",
  condition: "has an entry",
  askForLink,
  signIn,
};

/** Competitors upload their photos here and, after the results, read their score sheets. */
export function ArtistPortal({ data, showsScores }: { data: PortalData; showsScores: boolean }) {
  const { state, load, reload, replace, leave, end } = usePortal();
  switch (state.at) {
    case "loading":
      return <Loading title={access.title} />;
    case "failed":
      return <Frame><Title>Artist Portal</Title><Failure error={state.error} onRetry={load}>The Artist Portal could not be loaded.</Failure></Frame>;
    case "signedOut":
      return <Frame><SignIn access={access} note={state.note} organiserEmail={data.email} onSignedIn={load} /></Frame>;
    case "signedIn":
      return showsScores
        ? <ScoreSheets nominations={state.nominations} />
        : <SignedIn data={data} email={state.email} nominations={state.nominations} tickets={state.tickets} reload={reload} replace={replace} leave={leave} end={end} />;
  }
}

interface Portal {
  email: string;
  nominations: OwnNomination[];
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

const replacing = (nomination: OwnNomination) => (before: Portal): Portal =>
  ({ ...before, nominations: before.nominations.map((one) => one.id === nomination.id ? nomination : one) });

/** Which competitor is signed in, and the nominations. */
function usePortal() {
  const { state, load, update, refresh, leave, end } = useSignedIn(area);
  const replace = useCallback((nomination: OwnNomination) => update(replacing(nomination)), [update]);
  const reload = useCallback((id: number) => refresh(async () => replacing(await readNomination(id))), [refresh]);
  return { state, load, reload, replace, leave, end };
}
