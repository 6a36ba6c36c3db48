import type { PaymentStatus } from "../api";
import { dollars } from "../../lib/money";
import { labelsOfStatus } from "../entered";
import type { EntryData } from "../entry-data.server";

interface Props {
  data: EntryData;
  unpaid: PaymentStatus;
  onContinue: () => void;
  onStartOver: () => void;
}

/** An entry that this browser sent and did not pay: the way back to its payment, before anything is filled in again. */
export function UnpaidNotice({ data, unpaid, onContinue, onStartOver }: Props) {
  const labels = labelsOfStatus(data, unpaid).join(", ");
  return (
    <section className="frame" aria-label="Your unpaid entry">
      <div className="form-notice unpaid-notice" role="status">
        <p>Your entry{labels && <> (<strong>{labels}</strong>)</>} is not paid yet.</p>
        <p className="form-notice-actions">
          <button type="button" className="button button-primary" onClick={onContinue}>Continue to payment, {dollars(unpaid.paymentAmount)}</button>
          <button type="button" className="button button-plain" onClick={onStartOver}>Start over</button>
        </p>
      </div>
    </section>
  );
}
