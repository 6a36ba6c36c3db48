import type { PageInput } from "../../lib/page";
import { applyHead, ApplyPage } from "../shared/apply-page";
import { applyData, type ApplyData } from "../shared/apply-data";

export function data({ content }: PageInput): ApplyData {
  return applyData(content, "speaker-applications", "speaker", "applySpeaker", {
    termsAccepted: "speakerTerms",
    photographyConsent: "photographyRelease",
  });
}

export const head = applyHead;

export { ready } from "../shared/lazy-application-form";

export function View({ data }: { data: ApplyData }) {
  return <ApplyPage kind="speaker-applications" data={data} art="business" />;
}
