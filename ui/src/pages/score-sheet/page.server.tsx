import { Island } from "../../kit/island";
import { ArtistPortal } from "../../portal/artist-portal";
import type { PortalData } from "../../portal/frame";
import { portalHead } from "../shared/portal-page.server";

export { portalData as data } from "../shared/portal-page.server";
export const head = portalHead("Score sheet", "View and print the judges' scores for your work.");

export function View({ data }: { data: PortalData }) {
  return <Island name="artist-portal" of={ArtistPortal} props={{ data, showsScores: true }} />;
}
