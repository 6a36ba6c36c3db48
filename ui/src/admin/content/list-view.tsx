import { useRef, useState, useId } from "react";
import { useFieldArray, useWatch } from "react-hook-form";
import { Button } from "../../kit/button";
import { Icon } from "../../kit/icon";
import { FieldViews, useProblem, ToConfirm, useValue } from "./field-view";
import { tablesOf, textOf, type ListField, type Table, type Value, type LinesField } from "./field-types";
import { Fold, Rows } from "./rows";
import { usePage } from "./page-form";
import { join, valueAt, moveSession, newTable, moved } from "./values";
import { withArticle, withLabels } from "./places";

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

const crossPath = "M6 6l12 12M18 6L6 18";

/** A list of plain texts. */
export function LinesView({ field, path }: { field: LinesField; path: string }) {
  const id = useId();
  const frame = useRef<HTMLFieldSetElement>(null);
  const [value, change] = useValue(path);
  const { problems } = usePage();
  const problem = useProblem(path);
  const lines = Array.isArray(value) ? value.map(textOf) : [];
  const focus = (index: number) => setTimeout(() => frame.current?.querySelectorAll<HTMLElement>("textarea")[index]?.focus());
  const add = () => {
    change([...lines, ""]);
    focus(lines.length);
  };
  const remove = (index: number) => {
    change(lines.filter((_, other) => other !== index));
    focus(Math.max(0, index - 1));
  };
  return (
    <fieldset ref={frame} className="site-list">
      <legend>{field.label}{field.optional && <span className="optional-mark"> (optional)</span>}</legend>
      {field.hint && <p className="field-hint">{field.hint}</p>}
      {problem && <p className="field-error">{problem}</p>}
      <Rows label={field.label} keys={lines.map((_, index) => String(index))} name={(index) => `“${lines[index]}”`} onMove={(from, to) => change(moved(lines, from, to))}>
        {(index) => {
          const error = problems[join(path, index)];
          const label = `${field.label}: ${field.one} ${index + 1}`;
          return (
            <div className="site-line" data-path={join(path, index)}>
              {error && <p id={`${id}-${index}`} className="field-error">{withLabels(error, path)}</p>}
              <textarea
                className="input" rows={1} maxLength={field.longest} aria-label={label} aria-invalid={error ? true : undefined} aria-describedby={error ? `${id}-${index}` : undefined}
                value={lines[index]} onChange={(event) => change(lines.map((line, other) => (other === index ? event.target.value.replace(/\n/g, " ") : line)))}
              />
              {lines.length > field.least && <button type="button" className="site-remove" aria-label={`Remove ${field.one} ${index + 1}`} onClick={() => remove(index)}><Icon path={crossPath} /></button>}
              <ToConfirm path={join(path, index)} label={label} value={lines[index] ?? ""} />
            </div>
          );
        }}
      </Rows>
      {lines.length < field.most && <Button look="text" onClick={add}>Add {withArticle(field.one)}</Button>}
    </fieldset>
  );
}
