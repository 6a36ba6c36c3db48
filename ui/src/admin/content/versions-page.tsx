import { Button } from "../../kit/button";
import { Loaded } from "../../kit/loaded";
import { SectionHead } from "../shell/parts";
import { useAddress, AddressLink } from "../shell/address";
import { Instant } from "../shell/admin-context";
import { useAction } from "../shell/use-form";
import { restore, useRevision, useRevisions, useDraft, type Revision } from "./api";
import { Differences } from "./changes-page";

/** Every published version, by whom and when, with a button to publish it again. */
export function VersionsPage() {
  const draft = useDraft();
  const revisions = useRevisions();
  const params = useAddress();
  const opened = params.get("version");
  const { busy, act } = useAction();
  const reload = async () => {
    await draft.reload();
    await revisions.mutate();
  };
  const restoreVersion = (number: number) => act(
    // Also when somebody has saved a draft meanwhile: the button stays busy until the page has read it.
    () => restore(number, draft.saved.tag).finally(reload),
    { title: "Version Restored", message: "Visitors see that version again." }, "Nothing was changed. Please try again.",
  );
  return (
    <>
      <SectionHead back={{ view: null, version: null }} backTo="All parts of the website" title="Versions" />
      <p className="measure">Restoring one makes it the newest: nothing is lost.</p>
      <Loaded of={revisions} loading="Loading the versions…" failed="The versions could not be loaded." keepsData>
        {({ items }) => (
          <ul className="site-versions">
            {items.map((revision, index) => {
              const before = items[index + 1];
              const isOpen = opened === String(revision.number);
              return (
                <li key={revision.number}>
                  <h2 className="finding-title">{revision.note || "Without a note"} {revision.isLive && <span className="site-mark is-live">Live</span>}</h2>
                  <p className="soft"><WhoAndWhen revision={revision} /></p>
                  <div className="site-version-buttons">
                    {revision.number > 0 && <AddressLink to={{ version: isOpen ? null : revision.number }} aria-expanded={isOpen} className="text-button">{isOpen ? "Hide what changed" : "What changed"}</AddressLink>}
                    {revision.isLive
                      ? before && <Button look="text" busy={busy} onClick={() => restoreVersion(before.number)}>Restore the previous version</Button>
                      : <Button look="text" busy={busy} onClick={() => restoreVersion(revision.number)}>Restore this version</Button>}
                  </div>
                  {isOpen && <RevisionChanges number={revision.number} />}
                </li>
              );
            })}
          </ul>
        )}
      </Loaded>
    </>
  );
}

function WhoAndWhen({ revision: { number, at, by } }: { revision: Revision }) {
  return <>Version {number}{at && <>, <Instant at={at} /></>}{by && `, by ${by}`}</>;
}

function RevisionChanges({ number }: { number: number }) {
  const { content } = useDraft().saved.value;
  return (
    <Loaded of={useRevision(number)} loading="Loading what changed…" failed="The differences could not be loaded.">
      {({ changes }) => (changes.length === 0 ? <p>Nothing that visitors see.</p> : <Differences changes={changes} content={content} />)}
    </Loaded>
  );
}
