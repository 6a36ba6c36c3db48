import { useId, useRef } from "react";
import { Button } from "../../kit/button";
import { Icon } from "../../kit/icon";
import { ToConfirm, useProblem, useValue } from "./field-view";
import { textOf, type LinesField } from "./field-types";
import { usePage } from "./page-form";
import { join } from "./paths";
import { withArticle, withLabels } from "./places";
import { Rows } from "./rows";
import { moved } from "./typed-values";

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
