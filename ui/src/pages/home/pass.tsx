import type { Pass as PassContent } from "../../api/content-types";
import { CheckIcon } from "../../parts/icons";
import { ActionLink, SiteLink, useClosed } from "../../parts/site-link";

interface PassProps {
  pass: PassContent;
  prices: { fee: string; exactFee: string; regular: string; additional: string[] };
}

export function Pass({ pass, prices }: PassProps) {
  const closed = useClosed("competition-entries");
  return (
    <section className="section frame pass" aria-labelledby="pass-title">
      <div className="pass-words">
        <p className="eyebrow">{pass.badge}</p>
        <h2 id="pass-title">{pass.name}</h2>
        <p className="lead">{pass.description}</p>
        <ul className="pass-features">
          {pass.features.map(({ text, included }) => (
            <li key={text} className={included ? "" : "is-missing"}>
              <CheckIcon /> <span>{text}{!included && " (not included)"}</span>
            </li>
          ))}
        </ul>
      </div>
      <div className="pass-ticket">
        <p className="pass-price figures">
          <span className="hidden-text">Price: </span>{prices.fee}
          {prices.regular && <s><span className="hidden-text">Regular price: </span>{prices.regular}</s>}
        </p>
        {prices.regular && <p className="pass-note">{pass.priceNote}</p>}
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
        {closed
          ? <SiteLink className="button button-primary" href="/#waitlist">{pass.waitlistButtonText}</SiteLink>
          : <ActionLink href="/enter-competition" fullLoad>{pass.buttonText} - {prices.fee}</ActionLink>}
        <p className="pass-tax">Sales tax by your state is added; you see the full amount before you pay.</p>
      </div>
    </section>
  );
}
