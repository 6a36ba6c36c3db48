import type { Closing as ClosingContent } from "../../api/content-types";
import type { Kind } from "../../api/page";
import { Divider } from "../../parts/divider";
import { ActionLink } from "../../parts/site-link";
import { WaitlistLink } from "../../parts/waitlist-link";

const formOf: Record<string, Kind> = {
  "/enter-competition": "competition-entries",
  "/apply-professional-demo": "professional-demo-registrations",
};

interface ClosingProps extends ClosingContent {
  /** What the link to the waitlist says. */
  waitlist: string;
}

export function Closing({ title, text, buttons, waitlist }: ClosingProps) {
  return (
    <section className="section closing" aria-labelledby="closing-title">
      <div className="frame">
        <Divider />
        <h2 id="closing-title" className="closing-title">{title}</h2>
        <p className="lead">{text}</p>
        <div className="buttons">
          {buttons.map(({ label, href }, index) => (
            <ActionLink key={href} href={href} form={formOf[href]} look={index === 0 ? "primary" : "outline"}>{label}</ActionLink>
          ))}
          <WaitlistLink>{waitlist}</WaitlistLink>
        </div>
      </div>
    </section>
  );
}
