import { Button } from "../../kit/button";
import type { Value } from "./fields/field";
import { draftStore, useDisputes, useSaved } from "./use-draft";
import { placeOf, valueText } from "./words";

/** Values that two people changed: shows both versions and asks which one to keep. */
export function Disputes() {
  const disputes = useDisputes();
  const content = draftStore.content;
  const conflicts = useSaved()?.value.conflicts ?? [];
  if (disputes.length + conflicts.length === 0) return null;
  const row = (path: string, theirs: Value | undefined, yours: Value | undefined, keep: (mine: boolean) => void) => {
    const place = placeOf(path, content);
    const label = place?.labels.join(", ") ?? path;
    return (
      <div key={path}>
        <dt>{label}</dt>
        <dd>Theirs: {valueText(theirs, place?.field)}</dd>
        <dd>Yours: {valueText(yours, place?.field)}</dd>
        <dd className="card-buttons">
          <Button look="outline" onClick={() => keep(true)}>Keep yours<span className="hidden-text">: {label}</span></Button>
          <Button look="outline" onClick={() => keep(false)}>Use theirs<span className="hidden-text">: {label}</span></Button>
        </dd>
      </div>
    );
  };
  return (
    <div className="failure" role="alert">
      <div>
        <p><strong>Somebody else changed the same fields.</strong> Nothing was overwritten. Choose for each one.</p>
        <dl className="versions">
          {disputes.map(({ path, theirs, yours }) => row(path, theirs, yours, (mine) => draftStore.settle(path, mine)))}
          {conflicts.map(({ path, live, draft }) => row(path, live, draft, (mine) => {
            draftStore.edit({ path, value: mine ? draft : live });
            void draftStore.flush();
          }))}
        </dl>
      </div>
    </div>
  );
}
