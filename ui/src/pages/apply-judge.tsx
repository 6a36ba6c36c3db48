import type { PageInput } from "../api/page";
import { applyHead, ApplyPage } from "../form/apply-page";
import { applyData, type ApplyData } from "../form/form-content";

export function data({ content }: PageInput): ApplyData {
  return applyData(content, "judge", "applyJudge", {
    termsAccepted: "judgeTerms",
    photographyConsent: "photographyRelease",
  });
}

export const head = applyHead;

export function View({ data }: { data: ApplyData }) {
  return <ApplyPage kind="judge-applications" data={data} />;
}
