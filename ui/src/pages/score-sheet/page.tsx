import { Island } from "../../kit/island";
import { Portal } from "../../portal/portal";
import type { PortalData } from "../../portal/portal-data";

export function View({ data }: { data: PortalData }) {
  return <Island name="portal" of={Portal} props={{ data, page: "score-sheet" }} />;
}
