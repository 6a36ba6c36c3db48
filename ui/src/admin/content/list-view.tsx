import { useRef, useState } from "react";
import { useFieldArray, useWatch } from "react-hook-form";
import { Button } from "../../kit/button";
import { FieldViews, useProblem } from "./field-view";
import { tablesOf, type ListField, type Table, type Value } from "./field-types";
import { Fold } from "./fold";
import { usePage } from "./page-form";
import { join, valueAt } from "./paths";
import { withArticle } from "./places";
import { Rows } from "./rows";
import { moveSession, newTable } from "./typed-values";

/** A list of tables: a row for each, which opens to its fields. It knows only the titles of its members, so that other keys do not render it. */
export function ListView({ field, path }: { field: ListField; path: string }) {
  const { control, getValues, setValue } = usePage();
  const { fields: rows, append, insert, move, remove } = useFieldArray({ control, name: path, keyName: "rowKey" });
  const heads = useWatch({ control, name: path, compute: (members: Value) => tablesOf(members).map((member) => ({ title: field.title(member), isSample: member.sample === true })) });
  const frame = useRef<HTMLFieldSetElement>(null);
  const problem = useProblem(path);
  const [added, setAdded] = useState<string>();
  const [removed, setRemoved] = useState<{ index: number; member: Table }>();
  const members = () => tablesOf(valueAt(getValues(), path));
  const title = (index: number) => heads[index]?.title || `New ${field.one}`;
  const focus = (selector: string) => setTimeout(() => frame.current?.querySelector<HTMLElement>(selector)?.focus());

  const moveRow = (from: number, to: number) => {
    const sessions = field.timed && moveSession(members(), from, to);
    move(from, to);
    if (!sessions) return;
    for (let index = Math.min(from, to); index <= Math.max(from, to); index += 1) {
      for (const name of ["start", "end"]) setValue(`${path}.${index}.${name}`, sessions[index]?.[name] ?? "");
    }
  };
  const add = () => {
    const last = members().at(-1);
    const member = newTable(field.of, getValues());
    append(field.timed && last ? { ...member, start: last.end ?? "09:00", end: last.end ?? "09:00" } : member, { shouldFocus: false });
    setAdded(join(path, rows.length));
    setRemoved(undefined);
    focus(":scope > .site-rows > :last-child .site-fold-body :is(input, textarea, select, button)");
  };
  const removeRow = (index: number) => {
    setRemoved({ index, member: structuredClone(members()[index]) as Table });
    setAdded(undefined);
    remove(index);
    focus(".site-undo button");
  };
  const bringBack = ({ index, member }: { index: number; member: Table }) => {
    insert(index, member, { shouldFocus: false });
    setRemoved(undefined);
  };
  return (
    <fieldset ref={frame} className="site-list">
      <legend>{field.label}</legend>
      {field.hint && <p className="field-hint">{field.hint}</p>}
      {problem && <p className="field-error">{problem}</p>}
      <Rows label={field.label} keys={rows.map(({ rowKey }) => rowKey)} name={title} onMove={moveRow}>
        {(index) => (
          <Fold title={title(index)} mark={heads[index]?.isSample && "Sample"} paths={[join(path, index)]} open={added === join(path, index)}>
            <FieldViews fields={field.of} path={join(path, index)} />
            <div className="site-row-buttons">
              {index > 0 && <Button look="text" onClick={() => moveRow(index, index - 1)}>Move up</Button>}
              {index < rows.length - 1 && <Button look="text" onClick={() => moveRow(index, index + 1)}>Move down</Button>}
              {rows.length > field.least && <Button look="text" onClick={() => removeRow(index)}>Remove {title(index)}</Button>}
            </div>
          </Fold>
        )}
      </Rows>
      {removed && (
        <p className="site-undo" role="status">
          Removed {field.title(removed.member) || field.one}. <Button look="text" onClick={() => bringBack(removed)}>Undo</Button>
        </p>
      )}
      {rows.length < field.most && <Button look="outline" onClick={add}>Add {withArticle(field.one)}</Button>}
    </fieldset>
  );
}
