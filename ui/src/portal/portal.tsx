import { ArtistPortal } from "./artist-portal";
import type { PortalData } from "./portal-data";
import { Release } from "./release";

interface Props {
  data: PortalData;
  page: "nominations" | "score-sheet" | "release";
}

/** The pages of competitors and models, in one island: each further one would make every other page of the site longer. */
export function Portal({ data, page }: Props) {
  switch (page) {
    case "release": return <Release data={data} />;
    case "nominations":
    case "score-sheet": return <ArtistPortal data={data} showsScores={page === "score-sheet"} />;
  }
}
