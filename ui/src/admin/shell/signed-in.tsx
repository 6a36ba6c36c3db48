import { useRef, type ComponentType } from "react";
import { AccessSection } from "../access/access";
import { AuditSection } from "../audit/audit";
import { BackupsSection } from "../backups/backups";
import { AdminBar } from "./admin-bar";
import type { AdminData } from "./admin-data.server";
import { AdminMenu } from "./admin-menu";
import { Section } from "./failure";
import { ListsSection } from "../lists/lists";
import { OpeningsSection } from "../openings/openings";
import { RegistrationsSection } from "../registrations/registrations";
import { OutboxSection } from "../outbox/outbox";
import { PaymentsSection } from "../payments/payments";
import { later } from "../../kit/later";
import type { SectionName } from "./sections";
import type { Session } from "./session";
import { OverviewSection } from "../overview/overview";
import { useKeptFocus } from "./use-kept-focus";

/** The organiser's pages after signing in: the menu and a section. */
export function SignedIn({ session, data: { kind, form, section } }: { session: Session; data: AdminData }) {
  const body = useRef<HTMLDivElement>(null);
  useKeptFocus(body);
  return (
    <div className="admin">
      <AdminBar session={session} />
      <div ref={body} className="admin-body">
        <AdminMenu current={kind ?? section} />
        <main id="content" className="admin-main" key={kind ?? section}>
          <Section>
            {kind && form ? <RegistrationsSection kind={kind} form={form} /> : section ? <OwnSection section={section} /> : <OverviewSection />}
          </Section>
        </main>
      </div>
    </div>
  );
}

const { View: MailingsSection } = later(() => import("../mailings/mailings").then((module) => module.MailingsSection));
const { View: MailTextsSection } = later(() => import("../mail-texts/mail-texts").then((module) => module.MailTextsSection));

const ownSections: Record<SectionName, ComponentType> = { forms: OpeningsSection, lists: ListsSection, payments: PaymentsSection, mailings: MailingsSection, "mail-texts": MailTextsSection, outbox: OutboxSection, audit: AuditSection, backups: BackupsSection, access: AccessSection };

function OwnSection({ section }: { section: SectionName }) {
  const Shown = ownSections[section];
  return <Shown />;
}
