import { SponsorInquiryForm } from "../../form/sponsor-inquiry-form";
import { atOnce } from "../../parts/at-once";

export const { View: LazySponsorInquiryForm } = atOnce(SponsorInquiryForm);
