import { Failure } from "../kit/loaded";
import { Frame } from "./frame";
import type { PortalData } from "./portal-data";
import { SignedIn } from "./signed-in";
import { Title } from "./title";
import { usePortal } from "./use-portal";
import { WayIn } from "./way-in";

/** Where competitors hand in their photos. */
export function Portal({ data }: { data: PortalData }) {
  const { state, load, reload, replace, leave, end } = usePortal();
  switch (state.at) {
    case "loading":
      return (
        <Frame>
          <Title>Artist Portal</Title>
          <p className="portal-loading" role="status">Loading…</p>
          <noscript><p>The Artist Portal needs JavaScript.</p></noscript>
        </Frame>
      );
    case "failed":
      return <Frame><Title>Artist Portal</Title><Failure error={state.error} onRetry={load}>The Artist Portal could not be loaded.</Failure></Frame>;
    case "wayIn":
      return <Frame><WayIn note={state.note} email={data.email} onIn={load} /></Frame>;
    case "in":
      return <SignedIn data={data} email={state.email} nominations={state.nominations} reload={reload} replace={replace} leave={leave} end={end} />;
  }
}
