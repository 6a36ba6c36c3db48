import { ApplyPage } from "../shared/apply-page";
import type { ApplyData } from "../shared/apply-data.server";

export function View({ data }: { data: ApplyData }) {
  return <ApplyPage kind="judge-applications" data={data} art="awards" />;
}
