import type { ReactNode } from "react";
import { Loaded } from "../../kit/loaded";
import { useAddress } from "../shell/address";
import { useStoredDraft } from "./api";
import { ChangesPage } from "./changes-page";
import { DraftContext } from "./draft-context";
import { parts } from "./fields";
import { PartPage } from "./part-page";
import { dotted } from "./paths";
import { PicturesPage } from "./pictures-page";
import { PreviewPage } from "./preview-page";
import { StartPage } from "./start-page";
import { UnconfirmedPage } from "./unconfirmed-page";
import { VersionsPage } from "./versions-page";

const views: Record<string, () => ReactNode> = { changes: ChangesPage, versions: VersionsPage, pictures: PicturesPage, preview: PreviewPage, unconfirmed: UnconfirmedPage };

/** The editor of the site's content. `?part=` opens one of its parts; `?view=` the changes, versions, pictures, preview or texts to confirm. */
export function SiteSection() {
  const read = useStoredDraft();
  const { mutate } = read;
  return (
    <Loaded of={read} loading="Loading the website’s content…" failed="The website’s content could not be loaded." keepsData>
      {(saved) => <DraftContext value={{ saved, set: (newer) => void mutate(newer, { revalidate: false }), reload: () => mutate() }}><SitePage /></DraftContext>}
    </Loaded>
  );
}

function SitePage() {
  const params = useAddress();
  const part = parts.find(({ name }) => name === params.get("part"));
  const openedFor = params.get("at");
  const View = views[params.get("view") ?? ""] ?? StartPage;
  return part ? <PartPage key={`${part.name} ${openedFor ?? ""}`} part={part} openedFor={openedFor === null ? null : dotted(openedFor)} /> : <View />;
}
