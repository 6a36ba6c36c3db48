import { Suspense, type ComponentProps } from "react";
import { SponsorInquiryForm } from "../../form/sponsor-inquiry-form";

/** The server waits for nothing: the same place with the form in it (the build takes `.server` files first there). */
export function LazySponsorInquiryForm(props: ComponentProps<typeof SponsorInquiryForm>) {
  return <div className="inquiry-form-place"><Suspense fallback={null}><SponsorInquiryForm {...props} /></Suspense></div>;
}
