import { Island } from "../../kit/island";
import { ArtistPortal } from "../../portal/artist-portal";
import type { PortalData } from "../../portal/frame";
import { portalHead } from "../shared/portal-page.server";

export { portalData as data } from "../shared/portal-page.server";
export const head = portalHead("Artist Portal", "Competitors hand in their photos and model releases here.");

export function View({ data }: { data: PortalData }) {
  return <Island name="artist-portal" of={ArtistPortal} props={{ data, showsScores: false }} />;
}
