import { useId, useState } from "react";
import type { Quote } from "../../lib/answer-types";
import type { Pricing } from "../../lib/content-types";
import { dollars } from "../../lib/money";
import { percentage } from "./pricing";
import { taxMismatch } from "./tax-field";

interface Props {
  quote: Quote;
  pricing: Pricing;
  taxLocation: string;
  /** The location as typed. If it names another state than `taxLocation`, a line below the total says so. */
  location?: string | undefined;
}

/** The fee and how it is calculated: beside the form on a wide screen, docked below it on a narrow one. */
export function FeePanel({ quote, pricing, taxLocation, location = "" }: Props) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const { additionalCategories: more, breakdown } = quote;
  const place = pricing.taxLocations.find(({ value }) => value === taxLocation)?.label ?? "Other";
  const mismatch = taxMismatch(location, taxLocation, pricing.taxLocations);
  return (
    <section className="fee-panel" aria-labelledby={`${id}-title`} data-open={open || undefined}>
      <h2 id={`${id}-title`} className="fee-title">Fee breakdown</h2>
      <dl id={`${id}-lines`} className="fee-lines figures">
        <Line label="Pass with your first category" cents={breakdown.participantFee} />
        {more > 0 && <Line label={more === 1 ? "1 additional category" : `${more} additional categories`} cents={breakdown.additionalCategoriesTotal} />}
        <Line label="Subtotal" cents={quote.subtotal} />
        <Line label={`Sales tax, ${place}`} note={percentage(quote.taxRate)} cents={quote.taxAmount} />
      </dl>
      <p className="fee-total figures">
        <span>Total</span> <strong>{dollars(quote.total)}</strong>
      </p>
      {mismatch && <p className="tax-source field-hint">{mismatch}</p>}
      <button type="button" className="button button-plain fee-toggle" aria-expanded={open} aria-controls={`${id}-lines`} onClick={() => setOpen(!open)}>
        {open ? "Hide the breakdown" : "Show the breakdown"}
      </button>
    </section>
  );
}

function Line({ label, note, cents }: { label: string; note?: string; cents: number }) {
  return (
    <div>
      <dt>{label} {note && <span className="fee-note">{note}</span>}</dt>
      <dd>{dollars(cents)}</dd>
    </div>
  );
}
