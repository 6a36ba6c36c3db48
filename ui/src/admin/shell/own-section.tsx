import type { ComponentType } from "react";
import { later } from "../../kit/later";
import { AccessSection } from "../access/access";
import { AuditSection } from "../audit/audit";
import { BackupsSection } from "../backups/backups";
import { JudgingSection } from "../judging/judging";
import { ListsSection } from "../lists/lists";
import { MailTextsSection } from "../mail-texts/mail-texts";
import { MailingsSection } from "../mailings/mailings";
import { NominationsSection } from "../nominations/nominations";
import { OpeningsSection } from "../openings/openings";
import { OutboxSection } from "../outbox/outbox";
import { PaymentsSection } from "../payments/payments";
import type { SectionName } from "./sections";

// The editor of the site is as large as all other sections together.
const site = later(() => import("../content/site").then(({ SiteSection }) => SiteSection));

const ownSections: Record<SectionName, ComponentType> = {
  site: site.View,
  nominations: NominationsSection,
  judging: JudgingSection,
  forms: OpeningsSection,
  lists: ListsSection,
  payments: PaymentsSection,
  mailings: MailingsSection,
  "mail-texts": MailTextsSection,
  outbox: OutboxSection,
  audit: AuditSection,
  backups: BackupsSection,
  access: AccessSection,
};

/** An admin section other than the registration lists. */
export function OwnSection({ section }: { section: SectionName }) {
  const Section = ownSections[section];
  return <Section />;
}
