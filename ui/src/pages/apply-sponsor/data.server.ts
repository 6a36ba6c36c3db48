import type { PageInput } from "../../lib/page";
import { applyData, type ApplyData } from "../shared/apply-data.server";

export function data({ content }: PageInput): ApplyData {
  return applyData(content, "sponsor-applications", "sponsor", "applySponsor", { agreementTerms: "sponsorTerms" });
}

export { applyHead as head } from "../shared/apply-data.server";
