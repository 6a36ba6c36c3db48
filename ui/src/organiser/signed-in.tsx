import { useRef, type ReactNode } from "react";
import { AccessRoom } from "./access-room";
import { AuditRoom } from "./audit-room";
import { BackupsRoom } from "./backups-room";
import { DeskBar } from "./desk-bar";
import type { DeskData } from "./desk-data";
import { DeskMenu } from "./desk-menu";
import { Section } from "./failure";
import { FormsRoom } from "./forms-room";
import { KindRoom } from "./kind-room";
import { OutboxRoom } from "./outbox-room";
import { PaymentsRoom } from "./payments-room";
import type { Room } from "./rooms";
import type { Session } from "./session";
import { StartRoom } from "./start-room";
import { useKeptFocus } from "./use-kept-focus";

/** The desk of somebody who is signed in: the menu and a room. */
export function SignedIn({ session, data: { kind, form, room } }: { session: Session; data: DeskData }) {
  const body = useRef<HTMLDivElement>(null);
  useKeptFocus(body);
  return (
    <div className="desk">
      <DeskBar session={session} />
      <div ref={body} className="desk-body">
        <DeskMenu current={kind ?? room} />
        <main id="content" className="desk-main" key={kind ?? room}>
          <Section>
            {kind && form ? <KindRoom kind={kind} form={form} /> : room ? <OwnRoom room={room} /> : <StartRoom />}
          </Section>
        </main>
      </div>
    </div>
  );
}

const ownRooms: Record<Room, () => ReactNode> = { forms: FormsRoom, payments: PaymentsRoom, outbox: OutboxRoom, audit: AuditRoom, backups: BackupsRoom, access: AccessRoom };

function OwnRoom({ room }: { room: Room }) {
  const Shown = ownRooms[room];
  return <Shown />;
}
