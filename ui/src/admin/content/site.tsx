import type { ReactNode } from "react";
import { Loaded } from "../../kit/loaded";
import { Part } from "../shell/parts";
import { useAddress, AddressLink } from "../shell/address";
import { AdminTitle } from "../shell/admin-title";
import { sections as titles } from "../shell/sections";
import { useStoredDraft, DraftContext, useDraft } from "./api";
import { ChangesPage, UnconfirmedPage } from "./changes-page";
import { parts } from "./fields";
import { PartPage } from "./part-page";
import { dotted, isWithin } from "./values";
import { PicturesPage } from "./pictures-page";
import { PreviewPage } from "./preview-page";
import { VersionsPage } from "./versions-page";
import { pathsOf } from "./page-form";
import { SaveBar } from "./save-bar";
import { OldDates, TextSearch } from "./text-search";

const views: Record<string, () => ReactNode> = { changes: () => <ChangesPage notice={<OldDates />} />, versions: VersionsPage, pictures: PicturesPage, preview: PreviewPage, unconfirmed: UnconfirmedPage };

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

/** The parts of the website, with what has changed and what is left to do in each. */
function StartPage() {
  const saved = useDraft().saved.value;
  return (
    <>
      <header className="admin-head"><AdminTitle>{titles.site}</AdminTitle></header>
      <p className="measure">Change what the site says. Each page is saved as a draft; visitors see it once you publish.</p>
      {saved.unconfirmed.length > 0 && (
        <p className="measure"><AddressLink to={{ view: "unconfirmed" }} focusTitle>{count(saved.unconfirmed.length, "text")} of the former edition to be confirmed</AddressLink></p>
      )}
      <OldDates />
      <TextSearch />
      <ul className="site-parts">
        {parts.map((part) => {
          const paths = pathsOf(part);
          const within = (path: string) => paths.some((outer) => isWithin(path, outer) || isWithin(outer, path));
          const changed = saved.changes.filter(({ path }) => within(dotted(path))).length;
          const unconfirmed = saved.unconfirmed.filter(within).length;
          const samples = saved.samples.filter(within).length - unconfirmed;
          const problems = Object.keys(saved.problems).filter(within).length;
          return (
            <li key={part.name}>
              <AddressLink to={{ part: part.name }} focusTitle className="site-part-link">{part.title}</AddressLink>
              <p>{part.about}</p>
              <p className="site-marks">
                {changed > 0 && <span className="site-mark is-change">{count(changed, "change")}</span>}
                {problems > 0 && <span className="site-mark is-problem">{count(problems, "problem")}</span>}
                {unconfirmed > 0 && <span className="site-mark">{unconfirmed} to be confirmed</span>}
                {samples > 0 && <span className="site-mark">{count(samples, "sample")}</span>}
              </p>
            </li>
          );
        })}
      </ul>
      <Part title="Also here">
        <ul className="site-parts">
          <li><AddressLink to={{ view: "versions" }} focusTitle className="site-part-link">Versions</AddressLink><p>What was published, when and by whom, and the way back.</p></li>
          <li><AddressLink to={{ view: "pictures" }} focusTitle className="site-part-link">Pictures</AddressLink><p>Every picture that was added, and where it is used.</p></li>
          <li><AddressLink to={{ view: "preview" }} focusTitle className="site-part-link">Preview</AddressLink><p>Any page as it would be, on any day.</p></li>
        </ul>
      </Part>
      <SaveBar page="home" />
    </>
  );
}

function count(number: number, one: string): string {
  return number === 1 ? `1 ${one}` : `${number} ${one}s`;
}
