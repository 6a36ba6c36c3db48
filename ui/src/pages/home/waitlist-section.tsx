import type { Waitlist } from "../../api/content-types";
import { useShell } from "../../parts/shell-context";
import { LazyWaitlistForm } from "./lazy-waitlist-form";

export function WaitlistSection({ title, text, ...words }: Waitlist) {
  const { open, message } = useShell().openings["waitlist-signups"];
  return (
    <section id="waitlist" className="section tint waitlist" aria-labelledby="waitlist-title">
      <div className="frame waitlist-grid">
        <div>
          <h2 id="waitlist-title">{title}</h2>
          <p className="lead">{text}</p>
        </div>
        {open ? <LazyWaitlistForm {...words} /> : <p className="notice">{message ?? "The waitlist is closed."}</p>}
      </div>
    </section>
  );
}
