import { useShell } from "../lib/shell-context";
import { ActionLink } from "../kit/site-link";

/** Pages that would otherwise end without saying what the pass costs and where to get it. A judge cannot compete, so that form has no band. */
const pages = new Set([
  "/about", "/competition", "/speakers-judges", "/sponsors", "/venue", "/schedule", "/faq", "/apply-speaker", "/apply-sponsor",
  "/apply-professional-demo", "/privacy", "/terms", "/refund-policy", "/contact", "/404",
]);

export function PassBand({ path }: { path: string }) {
  const { offer } = useShell();
  if (!offer || !pages.has(path)) return null;
  return (
    <section className="pass-band" aria-label="The pass">
      <div className="frame">
        <p className="lead"><strong>{offer.pass}, <span className="figures">{offer.fee}</span></strong> · both days, one category</p>
        <ActionLink href="/enter-competition">Enter</ActionLink>
      </div>
    </section>
  );
}
