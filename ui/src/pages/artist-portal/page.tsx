import { Island } from "../../kit/island";
import { ArtistPortal } from "../../portal/artist-portal";
import type { PortalData } from "../../portal/frame";

export function View({ data }: { data: PortalData }) {
  return <Island name="artist-portal" of={ArtistPortal} props={{ data, showsScores: false }} />;
}
