import { SWRConfig } from "swr";
import { DeskBar } from "./desk-bar";
import { DeskContext } from "./desk-context";
import { deskTitle, type DeskData } from "./desk-data";
import { DeskMenu } from "./desk-menu";
import { DeskTitle } from "./desk-title";
import { Failure } from "./failure";
import { Gate } from "./gate";
import { KindRoom } from "./kind-room";
import { deskSettings, useSession } from "./session";
import { StartRoom } from "./start-room";

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

function Door({ data: { kind, form } }: { data: DeskData }) {
  const { data: session, error, mutate } = useSession();
  const known = session !== undefined && typeof session === "object" ? session : null;
  if (known) {
    return (
      <div className="desk">
        <DeskBar session={known} />
        <div className="desk-body">
          <DeskMenu current={kind} />
          <main id="content" className="desk-main" key={kind}>
            {kind && form ? <KindRoom kind={kind} form={form} /> : <StartRoom />}
          </main>
        </div>
      </div>
    );
  }
  return (
    <div className="desk">
      <DeskBar session={null} />
      <main id="content" className="desk-door">
        {session === undefined ? (
          <>
            <DeskTitle>{deskTitle(kind)}</DeskTitle>
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
