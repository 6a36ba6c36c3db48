import type { Waitlist } from "../../lib/content-types";
import { formOf } from "../../forms/rules/form-table";
import { RegistrationForm } from "../../forms/registration-form";
import { Island } from "../../kit/island";

export function WaitlistSection({ title, text, buttonLabel, successTitle, successText, steps }: Waitlist & { steps: string[] }) {
  const texts = { submitLabel: buttonLabel, successTitle, successText, steps };
  return (
    <section id="waitlist" className="section tint waitlist" aria-labelledby="waitlist-title">
      <div className="frame waitlist-grid">
        <div>
          <h2 id="waitlist-title">{title}</h2>
          <p className="lead">{text}</p>
        </div>
        <div className="waitlist-form-place"><Island name="registration-form" of={RegistrationForm} props={{ form: formOf("waitlist-signups"), texts }} whenNear /></div>
      </div>
    </section>
  );
}
