import type { ReactNode } from "react";
import { SWRConfig } from "swr";
import { AccessRoom } from "./access-room";
import { AuditRoom } from "./audit-room";
import { BackupsRoom } from "./backups-room";
import { DeskBar } from "./desk-bar";
import { DeskContext } from "./desk-context";
import { deskTitle, type DeskData } from "./desk-data";
import { DeskMenu } from "./desk-menu";
import { DeskTitle } from "./desk-title";
import { Failure } from "./failure";
import { Gate } from "./gate";
import { KindRoom } from "./kind-room";
import { deskSettings, useSession } from "./session";
import { OutboxRoom } from "./outbox-room";
import { PaymentsRoom } from "./payments-room";
import type { Room } from "./rooms";
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

function Door({ data: { kind, form, room } }: { data: DeskData }) {
  const { data: session, error, mutate } = useSession();
  const known = session !== undefined && typeof session === "object" ? session : null;
  if (known) {
    return (
      <div className="desk">
        <DeskBar session={known} />
        <div className="desk-body">
          <DeskMenu current={kind ?? room} />
          <main id="content" className="desk-main" key={kind ?? room}>
            {kind && form ? <KindRoom kind={kind} form={form} /> : room ? <OwnRoom room={room} /> : <StartRoom />}
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
            <DeskTitle>{deskTitle(kind, room)}</DeskTitle>
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

const ownRooms: Record<Room, () => ReactNode> = { payments: PaymentsRoom, outbox: OutboxRoom, audit: AuditRoom, backups: BackupsRoom, access: AccessRoom };

function OwnRoom({ room }: { room: Room }) {
  const Shown = ownRooms[room];
  return <Shown />;
}
