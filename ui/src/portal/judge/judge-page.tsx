import { Failure } from "../../kit/loaded";
import { Frame } from "../frame";
import { Loading } from "../loading";
import type { PortalData } from "../portal-data";
import { Title } from "../title";
import { SignIn, type Access } from "../sign-in";
import { askForLink, signIn } from "./api";
import { Scoring } from "./scoring";
import { useJudge } from "./use-judge";

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
      return <Frame><SignIn access={access} note={state.note} email={data.email} onSignedIn={load} /></Frame>;
    case "signedIn":
      return <Scoring key={state.session.id} session={state.session} work={state.work} reload={reload} accept={accept} leave={leave} end={end} />;
  }
}
