import { useRef, useState } from "react";
import { Button } from "../../kit/button";
import { blankOf } from "./blank";
import { FieldViews } from "./field-view";
import { tablesOf, type ListField, type Table } from "./fields/field";
import { Fold } from "./fold";
import type { Change } from "./paths";
import { retimed } from "./retimed";
import { Rows, useRowKeys } from "./rows";
import { draftStore, useProblem, useValue } from "./use-draft";
import { inWords } from "./words";

/** A list of tables: a row for each, which opens to its fields. */
export function ListView({ field, path }: { field: ListField; path: string }) {
  const frame = useRef<HTMLFieldSetElement>(null);
  const members = tablesOf(useValue(path));
  const keys = useRowKeys(members.length);
  const problem = useProblem(path);
  const [added, setAdded] = useState<number>();
  const [removed, setRemoved] = useState<{ index: number; member: Table }>();
  const title = (index: number) => (members[index] && field.title(members[index])) || `New ${field.one}`;

  const move = (from: number, to: number) => {
    keys.move(from, to);
    const changes: Change[] = [{ path: `${path}[${from}]`, move: to }];
    if (field.timed) {
      for (const [index, member] of retimed(members, from, to).entries()) {
        changes.push({ path: `${path}[${index}].start`, value: member.start ?? null }, { path: `${path}[${index}].end`, value: member.end ?? null });
      }
    }
    draftStore.edit(...changes);
  };
  const insert = (index: number, member: Table) => {
    keys.insert(index);
    draftStore.edit({ path, insert: index, value: member });
    setRemoved(undefined);
  };
  const add = () => {
    const last = members.at(-1);
    const blank = blankOf(field.of, draftStore.content);
    insert(members.length, field.timed && last ? { ...blank, start: last.end ?? "09:00", end: last.end ?? "09:00" } : blank);
    setAdded(members.length);
  };
  const remove = (index: number) => {
    keys.remove(index);
    setRemoved({ index, member: members[index] as Table });
    draftStore.edit({ path: `${path}[${index}]`, value: null });
    setAdded(undefined);
    setTimeout(() => frame.current?.querySelector<HTMLElement>(".site-undo button")?.focus());
  };
  return (
    <fieldset ref={frame} className="site-list">
      <legend>{field.label}</legend>
      {field.hint && <p className="field-hint">{field.hint}</p>}
      {problem && <p className="field-error">{inWords(problem, path)}</p>}
      <Rows label={field.label} keys={keys.keys} name={title} onMove={move}>
        {(index) => (
          <Fold title={title(index)} mark={members[index]?.sample === true && "Sample"} paths={[`${path}[${index}]`]} open={added === index}>
            <FieldViews fields={field.of} path={`${path}[${index}]`} />
            <div className="site-row-buttons">
              {index > 0 && <Button look="text" onClick={() => move(index, index - 1)}>Move up</Button>}
              {index < members.length - 1 && <Button look="text" onClick={() => move(index, index + 1)}>Move down</Button>}
              {members.length > field.least && <Button look="text" onClick={() => remove(index)}>Remove {title(index)}</Button>}
            </div>
          </Fold>
        )}
      </Rows>
      {removed && (
        <p className="site-undo" role="status">
          Removed {field.title(removed.member) || field.one}. <Button look="text" onClick={() => insert(removed.index, removed.member)}>Undo</Button>
        </p>
      )}
      {members.length < field.most && <Button look="outline" onClick={add}>Add a {field.one}</Button>}
    </fieldset>
  );
}
