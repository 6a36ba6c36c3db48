import { Suspense, useEffect } from "react";
import { Button } from "../kit/button";
import { ErrorBoundary } from "../kit/error-boundary";
import { Failure } from "../kit/loaded";
import { Frame } from "./frame";
import type { PortalData } from "./portal-data";
import { preloadSignedIn, SignedIn } from "./lazy-signed-in";
import { Title } from "./title";
import { usePortal } from "./use-portal";
import { WayIn } from "./way-in";

/** Where competitors hand in their photos. */
export function ArtistPortal({ data }: { data: PortalData }) {
  const { state, load, reload, replace, leave, end } = usePortal();
  useEffect(preloadSignedIn, []);
  switch (state.at) {
    case "loading":
      return <Loading />;
    case "failed":
      return <Frame><Title>Artist Portal</Title><Failure error={state.error} onRetry={load}>The Artist Portal could not be loaded.</Failure></Frame>;
    case "wayIn":
      return <Frame><WayIn note={state.note} email={data.email} onIn={load} /></Frame>;
    case "in":
      return (
        <ErrorBoundary fallback={<Frame><NotLoaded /></Frame>}>
          <Suspense fallback={<Loading />}>
            <SignedIn data={data} email={state.email} nominations={state.nominations} reload={reload} replace={replace} leave={leave} end={end} />
          </Suspense>
        </ErrorBoundary>
      );
  }
}

function Loading() {
  return (
    <Frame>
      <Title>Artist Portal</Title>
      <p className="portal-loading" role="status">Loading…</p>
      <noscript><p>The Artist Portal needs JavaScript.</p></noscript>
    </Frame>
  );
}

/** The site was updated meanwhile, or the line broke. */
function NotLoaded() {
  return (
    <>
      <Title>Artist Portal</Title>
      <p role="alert">This page could not be loaded completely. Please reload it: your photos are kept.</p>
      <Button look="outline" onClick={() => location.reload()}>Reload the page</Button>
    </>
  );
}
