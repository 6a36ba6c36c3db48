import { lazy, Suspense, type ComponentProps } from "react";
import type { SponsorInquiryForm } from "../../form/sponsor-inquiry-form";
import { whenNear } from "../../parts/when";

// The form's code is not part of the first load: it comes when the reader comes near. What the server
// rendered stands there until then.
const Form = lazy(() => whenNear("inquiry").then(() => import("../../form/sponsor-inquiry-form")).then((module) => ({ default: module.SponsorInquiryForm })));

export function LazySponsorInquiryForm(props: ComponentProps<typeof SponsorInquiryForm>) {
  return <div className="inquiry-form-place"><Suspense fallback={null}><Form {...props} /></Suspense></div>;
}
