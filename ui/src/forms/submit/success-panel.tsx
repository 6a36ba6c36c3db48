import { useEffect, useRef } from "react";
import type { Kind } from "../../lib/answer-types";
import { useShell } from "../../lib/shell-context";
import { SiteLink, useClosedLink } from "../../kit/site-link";
import { LashesComplete } from "../../brand/lashes";

/** What is known of a form that was stored. */
export interface StoredForm {
  id: number | undefined;
  email: string;
}

interface Props {
  kind: Kind;
  /** The confirmation leaves these out. */
  hasLongTexts: boolean;
  title: string;
  text: string;
  /** What happens next, as the confirmation email says it. */
  steps: string[];
  /** The registration's number and where its confirmation goes. */
  stored: StoredForm;
  onAgain: () => void;
}

interface Role {
  href: string;
  label: string;
}

const speaking: Role = { href: "/apply-speaker", label: "Apply as speaker" };

/** The role that the success panel offers next. Only sponsors are offered the same form again, because they may have several brands. */
const otherRoles: Partial<Record<Kind, Role>> = {
  "speaker-applications": { href: "/apply-judge", label: "Apply as judge" },
  "judge-applications": speaking,
  "professional-demo-registrations": speaking,
  "waitlist-signups": speaking,
  "sponsor-inquiries": { href: "/apply-sponsor", label: "Apply as sponsor" },
};

/** Replaces the form after it was sent, and says what happens next. */
export function SuccessPanel({ kind, hasLongTexts, title, text, steps, stored, onAgain }: Props) {
  const { email } = useShell();
  const role = otherRoles[kind];
  const isClosed = useClosedLink(role?.href ?? "");
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    heading.current?.scrollIntoView({ block: "center" });
  }, []);
  return (
    <section className="success-panel">
      <LashesComplete />
      <h2 ref={heading} tabIndex={-1} className="success-title">{title}</h2>
      <p className="lead">{text}</p>
      <p className="soft">
        {stored.id !== undefined && <>Your number with us is <strong className="figures">{stored.id}</strong>. </>}
        A confirmation with your answers is on its way to <strong>{stored.email}</strong>{hasLongTexts && "; it leaves out long texts, but we have them"}. Not
        there in ten minutes? Look in spam or write to <a href={`mailto:${email}`}>{email}</a>.
      </p>
      {steps.length > 0 && (
        <>
          <h3 className="success-next">What happens next</h3>
          <ol className="numbered">{steps.map((step) => <li key={step}>{step}</li>)}</ol>
        </>
      )}
      <p className="buttons">
        <a className="button button-outline" href="/event.ics">Add to calendar</a>
        <SiteLink className="button button-plain" href="/schedule">See the schedule</SiteLink>
        {kind === "sponsor-applications" && <button type="button" className="button button-plain" onClick={onAgain}>Send another application</button>}
        {role && !isClosed && <SiteLink className="button button-plain" href={role.href}>{role.label}</SiteLink>}
      </p>
    </section>
  );
}
