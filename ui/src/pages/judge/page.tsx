import { Island } from "../../kit/island";
import { JudgePage } from "../../portal/judge/judge-page";
import type { PortalData } from "../../portal/frame";

export function View({ data }: { data: PortalData }) {
  return <Island name="judge-page" of={JudgePage} props={{ data }} />;
}
