import type { PageInput } from "../../lib/page";
import { ApplyPage, applyData, type ApplyData } from "../shared/apply-page.server";

export { applyHead as head } from "../shared/apply-page.server";

export function View({ data }: { data: ApplyData }) {
  return <ApplyPage kind="speaker-applications" data={data} art="business" />;
}

export function data({ content }: PageInput): ApplyData {
  return applyData(content, "speaker-applications", "speaker", "applySpeaker", {
    termsAccepted: "speakerTerms",
    photographyConsent: "photographyRelease",
  });
}
