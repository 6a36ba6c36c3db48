import type { PageInput } from "../api/page";
import { applyHead, ApplyPage } from "../form/apply-page";
import { applyData, type ApplyData } from "../form/form-content";

export function data({ content }: PageInput): ApplyData {
  return applyData(content, "speaker", "applySpeaker", {
    termsAccepted: "speakerTerms",
    photographyConsent: "photographyRelease",
  });
}

export const head = applyHead;

export function View({ data }: { data: ApplyData }) {
  return <ApplyPage kind="speaker-applications" data={data} />;
}
