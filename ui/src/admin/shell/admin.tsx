import { SWRConfig } from "swr";
import { DeskBar } from "./admin-bar";
import { DeskContext } from "./admin-context";
import type { DeskData } from "./admin-data.server";
import { DeskTitle } from "./admin-title";
import { Failure } from "./failure";
import { Gate } from "./gate";
import { deskTitle } from "./sections";
import { deskSettings, useSession } from "./session";
import { SignedIn } from "./signed-in";

/** The organiser's desk: the gate, and behind it the rooms. The server renders it before anybody is known. */
export function Desk({ data }: { data: DeskData }) {
  return (
    <SWRConfig value={deskSettings}>
      <DeskContext value={data}>
        <Door data={data} />
      </DeskContext>
    </SWRConfig>
  );
}

function Door({ data }: { data: DeskData }) {
  const { data: session, error, mutate } = useSession();
  const known = session !== undefined && typeof session === "object" ? session : null;
  if (known) return <SignedIn session={known} data={data} />;
  return (
    <div className="desk">
      <DeskBar session={null} />
      <main id="content" className="desk-door">
        {session === undefined ? (
          <>
            <DeskTitle>{deskTitle(data.kind, data.room)}</DeskTitle>
            {error === undefined
              ? <p className="desk-waiting">One moment: are you signed in?</p>
              : <Failure error={error} onRetry={() => mutate()}>The server could not be asked whether you are signed in.</Failure>}
            <noscript><p>The organiser&rsquo;s desk needs JavaScript.</p></noscript>
          </>
        ) : <Gate ended={session === "ended"} />}
      </main>
    </div>
  );
}
