import { Island } from "../../kit/island";
import type { PortalData } from "../../portal/frame";
import { Release } from "../../portal/release";
import { portalHead } from "../shared/portal-page.server";

export { portalData as data } from "../shared/portal-page.server";
export const head = portalHead("Model release", "The model of a competition entry reads and signs the release here.");

export function View({ data }: { data: PortalData }) {
  return <Island name="release" of={Release} props={{ data }} />;
}
