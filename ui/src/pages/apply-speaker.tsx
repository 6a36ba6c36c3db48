import type { PageInput } from "../api/page";
import { applyHead, ApplyPage } from "./apply/apply-page";
import { applyData, type ApplyData } from "./apply/apply-data";

export function data({ content }: PageInput): ApplyData {
  return applyData(content, "speaker-applications", "speaker", "applySpeaker", {
    termsAccepted: "speakerTerms",
    photographyConsent: "photographyRelease",
  });
}

export const head = applyHead;

export { ready } from "./apply/lazy-application-form";

export function View({ data }: { data: ApplyData }) {
  return <ApplyPage kind="speaker-applications" data={data} art="business" />;
}
