import { later } from "../../kit/later";
import { whenNear } from "../../lib/when";

// The form's code comes when the reader comes near.
export const { View: LazySponsorInquiryForm } = later(() => whenNear("inquiry").then(() => import("../../forms/sponsor-inquiry-form")).then((module) => module.SponsorInquiryForm));
