import { ApplyPage } from "../shared/apply-page";
import type { ApplyData } from "../shared/apply-data.server";

export function View({ data }: { data: ApplyData }) {
  return <ApplyPage kind="speaker-applications" data={data} art="business" />;
}
