import { useId, useRef, useState } from "react";
import { Button } from "../../kit/button";
import { Icon } from "../../kit/icon";
import { textOf, type LinesField } from "./fields/field";
import { ToConfirm } from "./to-confirm";
import { moved, Rows, useRowKeys } from "./rows";
import { draftStore, useErrors, useProblem, useSaved, useValue } from "./use-draft";
import { withArticle, withLabels } from "./words";

export const removePath = "M6 6l12 12M18 6L6 18";

/** A list of plain texts. */
export function LinesView({ field, path }: { field: LinesField; path: string }) {
  const id = useId();
  const frame = useRef<HTMLFieldSetElement>(null);
  const value = useValue(path);
  // A new line is added to the draft only once it has text.
  const [hasBlank, setBlank] = useState(false);
  const lines = [...(Array.isArray(value) ? value.map(textOf) : []), ...(hasBlank ? [""] : [])];
  const keys = useRowKeys(lines.length);
  const problem = useProblem(path);
  const errors = { ...useSaved()?.value.problems, ...useErrors() };
  const change = (next: string[]) => {
    setBlank(hasBlank && next.at(-1) === "");
    draftStore.edit({ path, value: hasBlank && next.at(-1) === "" ? next.slice(0, -1) : next });
  };
  const focus = (index: number) => setTimeout(() => frame.current?.querySelectorAll<HTMLInputElement>("input, textarea")[index]?.focus());
  const add = () => {
    setBlank(true);
    focus(lines.length);
  };
  const remove = (index: number) => {
    keys.remove(index);
    change(lines.filter((_, other) => other !== index));
    focus(Math.max(0, index - 1));
  };
  return (
    <fieldset ref={frame} className="site-list">
      <legend>{field.label}{field.optional && <span className="optional-mark"> (optional)</span>}</legend>
      {field.hint && <p className="field-hint">{field.hint}</p>}
      {problem && <p className="field-error">{withLabels(problem, path)}</p>}
      <Rows
        label={field.label} keys={keys.keys} name={(index) => `“${lines[index]}”`}
        onMove={(from, to) => {
          keys.move(from, to);
          change(moved(lines, from, to));
        }}
      >
        {(index) => {
          const error = errors[`${path}[${index}]`];
          return (
            <div className="site-line">
              {error && <p id={`${id}-${index}`} className="field-error">{withLabels(error, path)}</p>}
              <textarea
                className="input" rows={1} maxLength={field.longest} aria-label={`${field.label}: ${field.one} ${index + 1}`} aria-invalid={error ? true : undefined} aria-describedby={error ? `${id}-${index}` : undefined}
                value={lines[index] ?? ""} onChange={(event) => change(lines.map((line, other) => (other === index ? event.target.value.replace(/\n/g, " ") : line)))}
              />
              {lines.length > field.least && <button type="button" className="site-remove" aria-label={`Remove ${field.one} ${index + 1}`} onClick={() => remove(index)}><Icon path={removePath} /></button>}
              <ToConfirm path={`${path}[${index}]`} label={`${field.label}: ${field.one} ${index + 1}`} />
            </div>
          );
        }}
      </Rows>
      {lines.length < field.most && !hasBlank && <Button look="text" onClick={add}>Add {withArticle(field.one)}</Button>}
    </fieldset>
  );
}
