import type { Closing as ClosingContent } from "../../lib/content-types";
import { Divider } from "../../brand/divider";
import { ActionLink } from "../../kit/site-link";
import { WaitlistLink } from "../../kit/waitlist-link";

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
            <ActionLink key={href} href={href} look={index === 0 ? "primary" : "outline"}>{label}</ActionLink>
          ))}
          <WaitlistLink>{waitlist}</WaitlistLink>
        </div>
      </div>
    </section>
  );
}
