import { createContext, useContext, useEffect, useRef, useState, type FormEvent } from "react";
import { useForm, type Control, type FieldValues } from "react-hook-form";
import { useAction } from "../shell/use-form";
import { addKeeper } from "../shell/unsaved";
import { isStale, type Versioned } from "../shell/versioned";
import { problemsOf, readDraft, saveChanges, useDraft, type Draft } from "./api";
import { findInvalid, changesOf, isSame, isWithin, join, valueAt } from "./values";
import type { Field, Part, Section, Table } from "./field-types";

/** The form of one page of the editor. */
export interface PageForm {
  control: Control<FieldValues>;
  getValues: () => Table;
  setValue: (path: string, value: unknown) => void;
  /** The paths that are saved and compared as a whole. */
  paths: readonly string[];
  /** The draft that the form was filled from. */
  base: Versioned<Draft>;
  /** The checker's sentences by path: those of the stored draft and those of the last save. */
  problems: Record<string, string>;
  hasErrors: boolean;
  /** What somebody else has stored in the meantime, if both have changed the same. */
  stored: Versioned<Draft> | undefined;
  /** The value that takes the focus, in a part that opens for it. */
  focused: { path: string } | null;
  focus: (paths: readonly string[]) => void;
  busy: boolean;
  save: (event?: FormEvent) => void;
  useStored: () => void;
  /** Forgets what was typed when the page is left. */
  abandon: () => void;
  /** Confirms a text of the former edition as it is. */
  confirm: (path: string) => void;
}

const what = "changes to the website";
/** What was typed on pages that were left by the back button or because the session ended, by the page's name. */
const unsavedPages = new Map<string, { base: Versioned<Draft>; values: Table }>();
addKeeper({ what, isLeft: () => unsavedPages.size > 0, forget: () => unsavedPages.clear() });

export function usePageForm(part: Part, openedFor: string | null): PageForm {
  const draft = useDraft();
  const [unsaved] = useState(() => unsavedPages.get(part.name));
  const [base, setBase] = useState(unsaved?.base ?? draft.saved);
  const { control, getValues, setValue } = useForm<FieldValues>({ defaultValues: unsaved?.values ?? base.value.content });
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [stored, setStored] = useState<Versioned<Draft>>();
  const [focused, setFocused] = useState(openedFor === null ? null : { path: openedFor });
  const { busy, act } = useAction();
  const [paths] = useState(() => pathsOf(part));
  const isAbandoned = useRef(false);

  /** Shows a stored draft. What was typed since `values` is kept. */
  const show = (saved: Versioned<Draft>, values: Table) => {
    for (const { path, value } of changesOf(paths, values, saved.value.content)) setValue(path, value);
    setBase(saved);
    setErrors({});
    setStored(undefined);
  };
  const focus = (wanted: readonly string[]) => {
    const path = paths.flatMap((outer) => wanted.filter((inner) => isWithin(inner, outer)))[0];
    if (path !== undefined) setFocused({ path });
  };
  const refuse = (found: Record<string, string>) => {
    setErrors(found);
    focus(Object.keys(found));
  };
  const save = (event?: FormEvent) => {
    event?.preventDefault();
    const values = structuredClone(getValues()) as Table;
    const invalid = findInvalid(part, values);
    if (Object.keys(invalid).length > 0) return refuse(invalid);
    const changes = changesOf(paths, base.value.content, values);
    let theirs: Versioned<Draft> | undefined;
    void act(
      async () => {
        let saved: Versioned<Draft>;
        try {
          saved = await saveChanges(changes, (stored ?? base).tag);
        } catch (error) {
          if (!isStale(error)) throw error;
          // Somebody else has saved. It is only a question if both have changed the same.
          const newest = await readDraft();
          if (stored || changes.some(({ path }) => !isSame(valueAt(base.value.content, path), valueAt(newest.value.content, path)))) {
            theirs = newest;
            throw error;
          }
          saved = await saveChanges(changes, newest.tag);
        }
        show(saved, values);
        draft.set(saved);
      },
      { title: "Draft Saved", message: "Visitors see it once you publish." }, "The draft could not be saved. Please try again.",
      (error) => {
        if (Object.keys(problemsOf(error)).length > 0) refuse(problemsOf(error));
        if (theirs) setStored(theirs);
        return theirs !== undefined;
      },
    );
  };
  const confirm = (path: string) => void act(
    async () => {
      const value = valueAt(base.value.content, path) ?? "";
      const send = (tag: string) => saveChanges([{ path, value }], tag);
      const isTyped = changesOf(paths, base.value.content, getValues()).length > 0;
      const saved = await send(base.tag).catch(async (error: unknown) => {
        // Somebody else has saved something else, or an earlier confirmation was on its way.
        const newest = isStale(error) && !isTyped ? await readDraft() : undefined;
        if (!newest || !isSame(valueAt(newest.value.content, path), value)) throw error;
        return send(newest.tag);
      });
      if (isTyped) setBase(saved);
      else show(saved, getValues() as Table);
      draft.set(saved);
    },
    { title: "Confirmed", message: "The text stays as it is." }, "The text could not be confirmed. Please try again.",
  );
  const useStored = () => {
    if (!stored) return;
    show(stored, getValues());
    draft.set(stored);
  };

  const latest = useRef({ base, show });
  useEffect(() => void (latest.current = { base, show }));
  useEffect(() => {
    const isUnsaved = () => !isAbandoned.current && changesOf(paths, latest.current.base.value.content, getValues()).length > 0;
    const abandon = () => void (isAbandoned.current = true);
    unsavedPages.delete(part.name);
    isAbandoned.current = false;
    const remove = addKeeper({ what, isLeft: isUnsaved, forget: abandon });
    return () => {
      remove();
      if (isUnsaved()) unsavedPages.set(part.name, { base: latest.current.base, values: getValues() });
    };
  }, [part, paths, getValues]);
  // What somebody else has saved is shown while nothing is typed here.
  useEffect(() => {
    const { base: shown, show: showDraft } = latest.current;
    if (draft.saved.tag !== shown.tag && changesOf(paths, shown.value.content, getValues()).length === 0) showDraft(draft.saved, getValues());
  }, [draft.saved, paths, getValues]);

  return {
    control, getValues, setValue: (path, value) => setValue(path, value), paths, base, stored, focused, focus, busy, save, useStored, confirm,
    problems: { ...base.value.problems, ...errors }, hasErrors: Object.keys(errors).length > 0, abandon: () => void (isAbandoned.current = true),
  };
}

/** The paths of a page's fields. Groups are taken apart, unless they can be absent or are a list. */
export function pathsOf({ sections }: Pick<Part, "sections">): string[] {
  const inside = (outer: string, fields: readonly Field[]): string[] =>
    fields.flatMap((field) => (field.type === "group" && !field.optional && !field.array ? inside(join(outer, field.name), field.fields) : [join(outer, field.name)]));
  return sections.flatMap(({ path, fields }: Section) => inside(path, fields));
}

export const PageContext = createContext<PageForm | null>(null);

export function usePage(): PageForm {
  const page = useContext(PageContext);
  if (!page) throw new Error("A field is shown outside its page.");
  return page;
}
