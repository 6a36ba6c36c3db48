import type { Logo, Sponsors } from "../../lib/content-types";
import { OutsideLink } from "../../kit/site-link";

/** Who sponsors the event, those of one tier together, in the order of the content. */
export function Logos({ logosTitle, logos }: Pick<Sponsors, "logosTitle" | "logos">) {
  if (logos.length === 0) return null;
  const tiers = [...new Set(logos.map(({ tier }) => tier))];
  return (
    <section className="section frame" aria-labelledby="logos-title">
      <h2 id="logos-title">{logosTitle}</h2>
      {tiers.map((tier) => (
        <div key={tier} className="sponsor-tier">
          {tier && <h3 className="eyebrow">{tier}</h3>}
          <ul className="sponsor-logos">{logos.filter((logo) => logo.tier === tier).map((logo) => <li key={logo.name}><Sponsor {...logo} /></li>)}</ul>
        </div>
      ))}
    </section>
  );
}

function Sponsor({ name, url, image }: Logo) {
  const logo = image ? <img loading="lazy" decoding="async" sizes="(min-width: 48rem) 16rem, 50vw" {...image} alt={name} /> : <span className="title">{name}</span>;
  return url ? <OutsideLink href={url}>{logo}</OutsideLink> : logo;
}
