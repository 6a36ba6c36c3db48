import { memo, useEffect, useRef, useState } from "react";
import { Button } from "../../kit/button";
import { blankOf } from "./blank";
import { FieldViews } from "./field-view";
import { tablesOf, type ListField, type Table } from "./fields/field";
import { Fold } from "./fold";
import { valueAt, type Change } from "./paths";
import { retimed } from "./retimed";
import { Rows, useRowKeys } from "./rows";
import { draftStore, sampleMark, useProblem, useTitles } from "./use-draft";
import { withArticle, withLabels } from "./words";

/**
 * A list of tables: a row for each, which opens to its fields. It knows the titles of its members only, so that a key typed
 * in another field renders neither the list nor its rows.
 */
export function ListView({ field, path }: { field: ListField; path: string }) {
  const frame = useRef<HTMLFieldSetElement>(null);
  const titles = useTitles(path, field.title);
  const keys = useRowKeys(titles.length);
  const problem = useProblem(path);
  const [added, setAdded] = useState<number>();
  const [removed, setRemoved] = useState<{ index: number; member: Table }>();
  const members = () => tablesOf(valueAt(draftStore.content, path));
  const title = (index: number) => titles[index]?.replace(sampleMark, "") || `New ${field.one}`;

  const move = (from: number, to: number) => {
    keys.move(from, to);
    const changes: Change[] = [{ path: `${path}[${from}]`, move: to }];
    if (field.timed) {
      for (const [index, member] of retimed(members(), from, to).entries()) {
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
    const last = members().at(-1);
    const blank = blankOf(field.of, draftStore.content);
    insert(titles.length, field.timed && last ? { ...blank, start: last.end ?? "09:00", end: last.end ?? "09:00" } : blank);
    setAdded(titles.length);
    setTimeout(() => frame.current?.querySelector<HTMLElement>(":scope > .site-rows > :last-child .site-fold-body :is(input, textarea, select, button)")?.focus());
  };
  const remove = (index: number) => {
    keys.remove(index);
    setRemoved({ index, member: members()[index] as Table });
    draftStore.edit({ path: `${path}[${index}]`, value: null });
    setAdded(undefined);
    setTimeout(() => frame.current?.querySelector<HTMLElement>(".site-undo button")?.focus());
  };
  // Member is memoised, so its callbacks must keep their identity.
  const latest = useRef({ move, remove });
  useEffect(() => void (latest.current = { move, remove }));
  const [actions] = useState<Actions>(() => ({ move: (from, to) => latest.current.move(from, to), remove: (index) => latest.current.remove(index) }));
  return (
    <fieldset ref={frame} className="site-list">
      <legend>{field.label}</legend>
      {field.hint && <p className="field-hint">{field.hint}</p>}
      {problem && <p className="field-error">{withLabels(problem, path)}</p>}
      <Rows label={field.label} keys={keys.keys} name={title} onMove={move}>
        {(index) => (
          <Member
            field={field} path={`${path}[${index}]`} index={index} title={title(index)} isSample={titles[index]?.startsWith(sampleMark) ?? false}
            isLast={index === titles.length - 1} isRemovable={titles.length > field.least} isOpen={added === index} actions={actions}
          />
        )}
      </Rows>
      {removed && (
        <p className="site-undo" role="status">
          Removed {field.title(removed.member) || field.one}. <Button look="text" onClick={() => insert(removed.index, removed.member)}>Undo</Button>
        </p>
      )}
      {titles.length < field.most && <Button look="outline" onClick={add}>Add {withArticle(field.one)}</Button>}
    </fieldset>
  );
}

interface Actions {
  move: (from: number, to: number) => void;
  remove: (index: number) => void;
}

interface MemberProps {
  field: ListField;
  /** The path of the member. */
  path: string;
  index: number;
  title: string;
  isSample: boolean;
  isLast: boolean;
  isRemovable: boolean;
  /** Whether it is open at first. */
  isOpen: boolean;
  actions: Actions;
}

const Member = memo(function Member({ field, path, index, title, isSample, isLast, isRemovable, isOpen, actions }: MemberProps) {
  return (
    <Fold title={title} mark={isSample && "Sample"} paths={[path]} open={isOpen}>
      <FieldViews fields={field.of} path={path} />
      <div className="site-row-buttons">
        {index > 0 && <Button look="text" onClick={() => actions.move(index, index - 1)}>Move up</Button>}
        {!isLast && <Button look="text" onClick={() => actions.move(index, index + 1)}>Move down</Button>}
        {isRemovable && <Button look="text" onClick={() => actions.remove(index)}>Remove {title}</Button>}
      </div>
    </Fold>
  );
});
