import { LashesLaid } from "../../form/lashes-laid";
import { dollars } from "../../parts/money";
import { SiteLink } from "../../parts/site-link";
import type { EntryData } from "./entry-data";
import { StepHead } from "./step-head";

const complete = Array.from({ length: 12 }, () => true);

/** The last step. */
export function SuccessStep({ text, paidCents }: { text: EntryData["text"]; paidCents: number }) {
  return (
    <div className="frame entry-step entry-success">
      <StepHead step={2} title={text.successTitle}>
        <LashesLaid laid={complete} />
        <p className="lead">{text.successText}</p>
        <p className="figures">You paid {dollars(paidCents)}.</p>
        <div className="buttons">
          <SiteLink className="button button-primary" href="/">{text.returnLabel}</SiteLink>
        </div>
      </StepHead>
    </div>
  );
}
