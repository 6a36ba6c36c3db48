import { later } from "../../parts/later";
import { whenNear } from "../../parts/when";

// The form's code comes when the reader comes near.
export const { View: LazySponsorInquiryForm } = later(() => whenNear("inquiry").then(() => import("../../form/sponsor-inquiry-form")).then((module) => module.SponsorInquiryForm));
