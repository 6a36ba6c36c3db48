import { useRef, type ReactNode } from "react";
import { AccessRoom } from "../access/access";
import { AuditRoom } from "../audit/audit";
import { BackupsRoom } from "../backups/backups";
import { DeskBar } from "./admin-bar";
import type { DeskData } from "./admin-data.server";
import { DeskMenu } from "./admin-menu";
import { Section } from "./failure";
import { FormsRoom } from "../openings/openings";
import { KindRoom } from "../registrations/registrations";
import { OutboxRoom } from "../outbox/outbox";
import { PaymentsRoom } from "../payments/payments";
import type { Room } from "./sections";
import type { Session } from "./session";
import { StartRoom } from "../overview/overview";
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
