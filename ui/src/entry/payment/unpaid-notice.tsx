import { StartOver } from "../../forms/submit/form-notices";
import { dollars } from "../../lib/money";
import type { PaymentStatus } from "../api";
import type { EntryData } from "../entry-data.server";
import { labelsOfStatus } from "../entry-labels";

interface Props {
  data: EntryData;
  unpaid: PaymentStatus;
  onContinue: () => void;
  onStartOver: () => void;
}

/** An entry that this browser sent and did not pay before entries closed. */
export function TooLateNotice({ data, unpaid }: Pick<Props, "data" | "unpaid">) {
  const labels = labelsOfStatus(data, unpaid).join(", ");
  return (
    <section className="frame" aria-label="Your unpaid entry">
      <div className="form-notice unpaid-notice" role="status">
        <p>
          Your entry{labels && <> (<strong>{labels}</strong>)</>} was not paid before entries closed, so it does not take part. Nothing was charged.
          Questions? Write to <a href={`mailto:${data.email}`}>{data.email}</a>.
        </p>
      </div>
    </section>
  );
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
          <StartOver onStartOver={onStartOver} />
        </p>
      </div>
    </section>
  );
}

/** This browser has paid for an entry already; the form below is for another one. */
export function EnteredNotice({ data, email }: { data: EntryData; email: string }) {
  return (
    <section className="frame" aria-label="Your entry">
      <div className="form-notice" role="status">
        <p>
          An entry of <strong>{email}</strong> was paid for in this browser, and its receipt went there by email. The form below is for another
          entry. Questions? Write to <a href={`mailto:${data.email}`}>{data.email}</a>.
        </p>
      </div>
    </section>
  );
}
