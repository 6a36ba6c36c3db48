import type { Pass as PassContent } from "../../lib/content-types";
import { CheckIcon } from "../../kit/icon";
import { ActionLink, useClosed, WaitlistLink } from "../../kit/site-link";

interface PassProps {
  pass: PassContent;
  prices: { fee: string; exactFee: string; regular: string; additional: string[] };
  /** Why nobody can enter yet; "" if they can, or if entries are closed. */
  notOpenReason: string;
}

export function Pass({ pass, prices, notOpenReason }: PassProps) {
  const closed = useClosed("competition-entries");
  const waitlistClosed = useClosed("waitlist-signups");
  return (
    <section className="section frame pass" aria-labelledby="pass-title">
      <div className="pass-words">
        <p className="eyebrow">{pass.badge}</p>
        <h2 id="pass-title">{pass.name}</h2>
        <p className="lead">{pass.description}</p>
        <ul className="pass-features">
          {pass.features.map(({ text, included }) => (
            <li key={text} className={included ? "" : "is-missing"}>
              <CheckIcon /> <span><KeptTogether text={text} />{!included && " (not included)"}</span>
            </li>
          ))}
        </ul>
      </div>
      <div className="pass-ticket">
        <p className="pass-price figures">
          <span className="hidden-text">Price: </span>{prices.fee}
          {prices.regular && <s><span className="hidden-text">Regular price: </span>{prices.regular}</s>}
        </p>
        {prices.regular && pass.priceNote && <p className="pass-note">{pass.priceNote}</p>}
        {pass.addOnsOffered && (
          <dl className="pass-additions">
            {pass.addOns.map(({ title, text }, index) => (
              <div key={title}>
                <dt>{title}</dt>
                <dd className="figures">+{prices.additional[index]}</dd>
                <dd className="pass-addition-text">{text}</dd>
              </div>
            ))}
          </dl>
        )}
        <p className="pass-front">{pass.frontRowNote}</p>
        <div className="buttons">
          {notOpenReason && <p>{notOpenReason}</p>}
          {closed && !waitlistClosed
            ? <WaitlistLink look="primary">{pass.waitlistButtonText}</WaitlistLink>
            : <ActionLink href="/enter-competition">{pass.buttonText}&nbsp;-&nbsp;{prices.fee}</ActionLink>}
          {notOpenReason && !waitlistClosed && <WaitlistLink look="outline">{pass.waitlistButtonText}</WaitlistLink>}
        </div>
        <p className="pass-tax">Your state's sales tax is added; you see the full amount before you pay.</p>
      </div>
    </section>
  );
}

/** A text whose hours, like "8 AM-8 PM", stay on one line. */
function KeptTogether({ text }: { text: string }) {
  return text.split(/(\d\S* [AP]M-\d\S* [AP]M)/).map((part, index) => (index % 2 === 1 ? <span key={index} className="one-line">{part}</span> : part));
}
