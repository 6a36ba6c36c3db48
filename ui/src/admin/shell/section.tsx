import type { ComponentType } from "react";
import { AccessSection } from "../access/access";
import { AuditSection } from "../audit/audit";
import { BackupsSection } from "../backups/backups";
import { DoorSection } from "../door/door";
import { ExportsSection } from "../exports/exports";
import { JudgingSection } from "../judging/judging";
import { ListsSection } from "../lists/lists";
import { MailTextsSection } from "../mail-texts/mail-texts";
import { MailingsSection } from "../mailings/mailings";
import { NominationsSection } from "../nominations/nominations";
import { OpeningsSection } from "../openings/openings";
import { OutboxSection } from "../outbox/outbox";
import { PaymentsSection } from "../payments/payments";
import { RegistrationsSection } from "../registrations/list-page";
import { SiteSection } from "../content/site";
import type { AdminData } from "./admin-data.server";
import type { SectionName } from "./sections";

const sections: Record<SectionName, ComponentType> = {
  payments: PaymentsSection,
  mailings: MailingsSection,
  exports: ExportsSection,
  nominations: NominationsSection,
  judging: JudgingSection,
  door: DoorSection,
  lists: ListsSection,
  site: SiteSection,
  forms: OpeningsSection,
  "mail-texts": MailTextsSection,
  outbox: OutboxSection,
  audit: AuditSection,
  backups: BackupsSection,
  access: AccessSection,
};

/** A section of the organiser's pages: the registrations of a kind, or one by its name. */
export function Section({ kind, form, section }: AdminData) {
  if (kind && form) return <RegistrationsSection kind={kind} form={form} />;
  const Named = section && sections[section];
  return Named && <Named />;
}
