import { Island } from "../../kit/island";
import type { PortalData } from "../../portal/frame";
import { JudgePage } from "../../portal/judge/judge-page";
import { portalHead } from "../shared/portal-page.server";

export { portalData as data } from "../shared/portal-page.server";
export const head = portalHead("Judges' page", "The judges of the championship score the nominations here.");

export function View({ data }: { data: PortalData }) {
  return <Island name="judge-page" of={JudgePage} props={{ data }} />;
}
