import { SponsorInquiryForm } from "../../forms/sponsor-inquiry-form";
import { atOnce } from "../../kit/at-once";

export const { View: LazySponsorInquiryForm } = atOnce(SponsorInquiryForm);
