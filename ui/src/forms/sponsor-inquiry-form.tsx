import { RegistrationForm, type FormTexts } from "./registration-form";

/** A first question of a possible sponsor. */
export function SponsorInquiryForm({ texts }: { texts: FormTexts }) {
  return <RegistrationForm kind="sponsor-inquiries" texts={texts} />;
}
