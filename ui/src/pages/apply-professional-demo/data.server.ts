import type { PageInput } from "../../lib/page";
import { applyData, type ApplyData } from "../shared/apply-data.server";

export function data({ content }: PageInput): ApplyData {
  return applyData(content, "professional-demo-registrations", "demo", "applyProfessionalDemo", {
    termsAccepted: "demoTerms",
    photographyConsent: "photographyRelease",
  });
}

export { applyHead as head } from "../shared/apply-data.server";
