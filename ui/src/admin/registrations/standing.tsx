import { Link } from "wouter";
import type { Kind } from "../../lib/page";
import { Invitation } from "../mailings/invitation";
import { AddressLink } from "../shell/address-link";
import { useAdmin, useEventClock } from "../shell/admin-context";
import type { FormLabels } from "../shell/form-labels";
import type { Registration } from "../shell/kinds";
import { sectionPath } from "../shell/sections";
import { StatusMark } from "../shell/status-mark";
import { reasonText } from "../shell/statuses";
import { amount } from "../shell/values";
import { nominationsOf } from "./refund-choice";

/** A registration's decision, payment and metadata, and what the server noticed. */
export function Standing({ kind, form, record }: { kind: Kind; form: FormLabels; record: Registration }) {
  const clock = useEventClock();
  const { timeZoneLabel } = useAdmin();
  const { paymentStatus, paymentAmount, refundedAmount, stripePaymentIntentId, setAsideReason, earlierId } = record;
  return (
    <div className="standing">
      {/* An entry has no decision, only its payment. */}
      {(kind !== "competition-entries" || record.status !== "new") && <p><StatusMark status={record.status} kind={kind} /></p>}
      {kind === "competition-entries" && (
        <p className="figures">
          Payment: <StatusMark status={String(paymentStatus)} /> {amount(paymentAmount)}{Number(refundedAmount) > 0 && `, ${amount(refundedAmount)} refunded`}
        </p>
      )}
      <p className="soft figures">{form.name} {record.id}, received <time dateTime={record.createdAt}>{clock.long(record.createdAt)}</time> {timeZoneLabel}</p>
      {typeof stripePaymentIntentId === "string" && <p className="soft payment-reference">Payment reference: {stripePaymentIntentId}</p>}
      {kind === "competition-entries" && <Categories record={record} />}
      {typeof setAsideReason === "string" && <p>{record.status === "set_aside" ? "Held" : "Was held"} for review as possible spam: {reasonText(setAsideReason)}</p>}
      {kind === "waitlist-signups" && <Invitation record={record} />}
      {typeof earlierId === "number" && <p>The same person sent <AddressLink to={{ id: earlierId }} arrives>number {earlierId}</AddressLink> before.</p>}
    </div>
  );
}

/** The entry's nominations, each with its state and a link to it. */
function Categories({ record }: { record: Registration }) {
  const nominations = nominationsOf(record);
  if (nominations.length === 0) return null;
  return (
    <ul className="entry-nominations">
      {nominations.map(({ id, code, label, state }) => (
        <li key={id}><Link href={`${sectionPath("nominations")}?id=${id}`} className="figures">{code}</Link> {label} <StatusMark status={`nomination_${state}`} /></li>
      ))}
    </ul>
  );
}
