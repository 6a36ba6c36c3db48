import { useShell } from "../lib/shell-context";
import { ActionLink } from "../kit/site-link";

/** Pages that would otherwise end without saying what the pass costs and where to get it. A page with a form of its own asks for one thing only, so it has no band. */
const pages = new Set([
  "/about", "/competition", "/speakers-judges", "/sponsors", "/venue", "/schedule", "/faq", "/privacy", "/terms",
  "/refund-policy", "/contact",
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
