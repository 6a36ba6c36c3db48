import type { Kind } from "../api/page";
import { AddressLink } from "./address-link";
import { useDesk, useEventClock } from "./desk-context";
import type { FormLabels } from "./form-labels";
import type { Registration } from "./kinds";
import { StatusMark } from "./status-mark";
import { reasonWords } from "./statuses";
import { amount } from "./values";

/** Where a registration stands: its decision (an entry has none as long as nobody made one), its payment, when it came, and what the server noticed. */
export function Standing({ kind, form, record }: { kind: Kind; form: FormLabels; record: Registration }) {
  const clock = useEventClock();
  const { timeZoneLabel } = useDesk();
  const { paymentStatus, paymentAmount, refundedAmount, stripePaymentIntentId, setAsideReason, earlierId } = record;
  return (
    <div className="standing">
      {/* An entry stands where its payment stands: nobody decides about it. */}
      {(kind !== "competition-entries" || record.status !== "new") && <p><StatusMark status={record.status} kind={kind} /></p>}
      {kind === "competition-entries" && (
        <p className="figures">
          Payment: <StatusMark status={String(paymentStatus)} /> {amount(paymentAmount)}{Number(refundedAmount) > 0 && `, ${amount(refundedAmount)} refunded`}
        </p>
      )}
      <p className="soft figures">{form.name} {record.id}, received <time dateTime={record.createdAt}>{clock.long(record.createdAt)}</time> {timeZoneLabel}</p>
      {typeof stripePaymentIntentId === "string" && <p className="soft payment-reference">Payment reference: {stripePaymentIntentId}</p>}
      {typeof setAsideReason === "string" && <p>Set aside as spam: {reasonWords(setAsideReason)}</p>}
      {typeof earlierId === "number" && <p>The same person sent <AddressLink to={{ id: earlierId }} arrives>number {earlierId}</AddressLink> before.</p>}
    </div>
  );
}
