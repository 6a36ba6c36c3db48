import { ArtistPortal } from "./artist-portal";
import { JudgePage } from "./judge/judge-page";
import type { PortalData } from "./portal-data";
import { Release } from "./release";

/** The pages of competitors, models and judges, in one island: each further one would make every other page of the site longer. */
export function Portal({ data, page }: { data: PortalData; page: "nominations" | "release" | "judge" }) {
  switch (page) {
    case "release": return <Release data={data} />;
    case "judge": return <JudgePage data={data} />;
    case "nominations": return <ArtistPortal data={data} />;
  }
}
