import { ArtistPortal } from "./artist-portal";
import type { PortalData } from "./portal-data";
import { Release } from "./release";

/** Both pages of the portal, in one island: each further one would make every other page of the site longer. */
export function Portal({ data, page }: { data: PortalData; page: "nominations" | "release" }) {
  return page === "release" ? <Release data={data} /> : <ArtistPortal data={data} />;
}
