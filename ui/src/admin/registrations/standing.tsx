import type { Kind } from "../../lib/page";
import { Invitation } from "../mailings/invitation";
import { AddressLink } from "../shell/address-link";
import { useAdmin, useEventClock } from "../shell/admin-context";
import type { FormLabels } from "../shell/form-labels";
import type { Registration } from "../shell/kinds";
import { StatusMark } from "../shell/status-mark";
import { reasonText } from "../shell/statuses";
import { amount } from "../shell/values";

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
      {typeof setAsideReason === "string" && <p>Held for review as possible spam: {reasonText(setAsideReason)}</p>}
      {kind === "waitlist-signups" && <Invitation record={record} />}
      {typeof earlierId === "number" && <p>The same person sent <AddressLink to={{ id: earlierId }} arrives>number {earlierId}</AddressLink> before.</p>}
    </div>
  );
}
