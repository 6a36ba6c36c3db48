import type { PageInput } from "../../lib/page";
import { ApplyPage, applyData, type ApplyData } from "../shared/apply-page.server";

export { applyHead as head } from "../shared/apply-page.server";

export function View({ data }: { data: ApplyData }) {
  return <ApplyPage kind="judge-applications" data={data} art="awards" />;
}

export function data({ content }: PageInput): ApplyData {
  return applyData(content, "judge-applications", "judge", "applyJudge", {
    termsAccepted: "judgeTerms",
    photographyConsent: "photographyRelease",
  });
}
