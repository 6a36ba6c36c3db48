import type { ReactNode } from "react";
import { Loaded } from "../../kit/loaded";
import { useAddress } from "../shell/address";
import { ChangesPage } from "./changes-page";
import { parts } from "./fields/parts";
import { PartPage } from "./part-page";
import { PicturesPage } from "./pictures-page";
import { PreviewPage } from "./preview-page";
import { StartPage } from "./start-page";
import { UnconfirmedPage } from "./unconfirmed-page";
import { OpenedFor, useLoadedDraft, useSaved } from "./use-draft";
import { VersionsPage } from "./versions-page";

const views: Record<string, () => ReactNode> = { changes: ChangesPage, versions: VersionsPage, pictures: PicturesPage, preview: PreviewPage, unconfirmed: UnconfirmedPage };

/** The editor of the site's content. `?part=` opens one of its parts; `?view=` the changes, versions, pictures, preview or texts to confirm. */
export function SiteSection() {
  const read = useLoadedDraft();
  const saved = useSaved();
  // The draft's store has the content one render after it was read.
  const of = { ...read, data: saved && read.data && read.error === undefined ? saved : undefined };
  return <Loaded of={of} loading="Loading the website’s content…" failed="The website’s content could not be loaded.">{() => <SitePage />}</Loaded>;
}

function SitePage() {
  const params = useAddress();
  const part = parts.find(({ name }) => name === params.get("part"));
  const View = views[params.get("view") ?? ""] ?? StartPage;
  return <OpenedFor value={params.get("at")}>{part ? <PartPage key={`${part.name} ${params.get("at") ?? ""}`} part={part} /> : <View />}</OpenedFor>;
}
