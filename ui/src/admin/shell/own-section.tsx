import type { ReactNode } from "react";
import { AccessSection } from "../access/access";
import { AuditSection } from "../audit/audit";
import { BackupsSection } from "../backups/backups";
import { OpeningsSection } from "../openings/openings";
import { OutboxSection } from "../outbox/outbox";
import { PaymentsSection } from "../payments/payments";
import type { SectionName } from "./sections";

const ownSections: Record<SectionName, () => ReactNode> = { forms: OpeningsSection, payments: PaymentsSection, outbox: OutboxSection, audit: AuditSection, backups: BackupsSection, access: AccessSection };

/** A section beside the lists. */
export function OwnSection({ section }: { section: SectionName }) {
  const Section = ownSections[section];
  return <Section />;
}
