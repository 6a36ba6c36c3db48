import { Failure } from "../kit/loaded";
import { askForLink, signIn } from "./api";
import { Frame, Title, Loading } from "./frame";
import type { PortalData } from "./portal-data";
import { ScoreSheets } from "./print/score-sheets";
import { SignedIn } from "./signed-in";
import { usePortal } from "./use-portal";
import { SignIn, type Access } from "./sign-in";

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
      return <Frame><SignIn access={access} note={state.note} email={data.email} onSignedIn={load} /></Frame>;
    case "signedIn":
      return showsScores
        ? <ScoreSheets data={data} nominations={state.nominations} />
        : <SignedIn data={data} email={state.email} nominations={state.nominations} tickets={state.tickets} reload={reload} replace={replace} leave={leave} end={end} />;
  }
}
