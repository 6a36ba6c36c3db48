import { Island } from "../../kit/island";
import type { PortalData } from "../../portal/frame";
import { Release } from "../../portal/release";

export function View({ data }: { data: PortalData }) {
  return <Island name="release" of={Release} props={{ data }} />;
}
