import { RegistrationForm, type FormTexts } from "./registration-form";

/** For those who want to hear when there is news. */
export function WaitlistForm({ texts }: { texts: FormTexts }) {
  return <RegistrationForm kind="waitlist-signups" texts={texts} />;
}
