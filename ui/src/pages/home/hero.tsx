import type { After, Hero as HeroContent } from "../../lib/content-types";
import { Brow, Eye } from "../../brand/eye";
import { ActionLink, SiteLink, useClosedLink, WaitlistLink } from "../../kit/site-link";
import { useShell } from "../../lib/shell-context";

interface HeroProps extends HeroContent {
  tagline: string;
  dates: string;
  city: string;
  region: string;
  facts: { label: string; value: string; before?: string }[];
  fee: string;
  /** What replaces the invitation once the event is over. */
  thanks: After | null;
}

/** The cover: the headline lies on a closed lid, under its brow, above its lashes; the organiser's photo takes the eye's place. */
export function Hero({ image, alt, ...words }: HeroProps) {
  const { dates, city, region, facts, thanks } = words;
  return (
    <section className={image ? "hero has-photo" : "hero"} aria-labelledby="hero-title">
      {!image && <Brow />}
      <div className="hero-text frame">
        <p className="hero-place eyebrow"><strong>{dates}</strong> <span>{city}</span></p>
        {thanks ? <Thanks {...thanks} /> : <Invitation {...words} />}
      </div>
      {image ? <img className="hero-image" fetchPriority="high" sizes="(min-width: 62rem) 48vw, 100vw" {...image} alt={alt} /> : <Eye />}
      {!thanks && (
        <dl className="facts frame">
          {facts.map(({ label, value, before }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd className="title figures">{value} {before && <s>{before}</s>}</dd>
            </div>
          ))}
        </dl>
      )}
      <p className="hidden-text">{region}</p>
    </section>
  );
}

function Invitation({ tagline, introduction, buttons: [pass, ...others], scheduleButton, fee }: Omit<HeroProps, "image" | "alt">) {
  const { offer } = useShell();
  return (
    <>
      <h1 id="hero-title"><Headline tagline={tagline} /></h1>
      <p className="hero-introduction lead">{introduction}</p>
      <div className="hero-actions">
        {pass && <ActionLink href={pass.href}>{pass.label}{offer && <> <span className="figures">{fee}</span></>}</ActionLink>}
        <ActionLink href={scheduleButton.href} look="outline">{scheduleButton.label}</ActionLink>
      </div>
      <p className="hero-roles">
        <span>Apply as</span>
        {others.map(({ label, href }) => <RoleLink key={href} label={label} href={href} />)}
      </p>
    </>
  );
}

function Thanks({ title, text, nextTitle }: After) {
  return (
    <>
      <h1 id="hero-title"><em>{title}</em></h1>
      <p className="hero-introduction lead">{text}</p>
      <div className="hero-actions"><WaitlistLink href="#waitlist" look="primary">{nextTitle}</WaitlistLink></div>
    </>
  );
}

function RoleLink({ label, href }: { label: string; href: string }) {
  const closed = useClosedLink(href);
  return <SiteLink href={href}>{label}{closed && " (closed)"}</SiteLink>;
}

/** The tagline. Its last word, and a plus sign before it, have their own style. */
function Headline({ tagline }: { tagline: string }) {
  const [, start, sign = "", last] = /^(.*?)\s*(\+)?\s*(\S+)$/.exec(tagline) ?? [];
  if (!start || !last) return tagline;
  return <>{start} <span className="hero-last">{sign && <span className="hero-sign">{sign} </span>}<em>{last}</em></span></>;
}
