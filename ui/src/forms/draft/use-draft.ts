import { useCallback, useEffect, useRef, useState } from "react";
import type { UseFormReturn } from "react-hook-form";
import type { Attempt } from "../../lib/idempotency-key";
import { discardDraft, isSame, leftByOthers, loadDraft, saveDraft, withChanges } from "./draft";
import { fieldsOf, type FormRule } from "../rules/form-rules";
import type { Values } from "../rules/rules";
import { draftValues } from "../rules/values";

/** Waits for a pause in typing before it saves, so that typing never waits for the disk. */
const pause = 400;

const none: readonly string[] = [];

/**
 * Keeps what is typed until it is sent, and brings it back. Of several tabs with the same form each keeps what was
 * changed in it, and nothing that another has kept is lost. The fields of `linked` may have been filled by a link.
 */
export function useDraft(form: FormRule, methods: UseFormReturn<Values>, linked = none) {
  const [restored, setRestored] = useState(false);
  const [kept, setKept] = useState<boolean>();
  const attempt = useRef<Attempt | undefined>(undefined);
  const wouldBeLost = useRef(false);
  const closed = useRef(false);
  const found = useRef<Values>({});
  const changed = useRef(new Set<string>());

  /** What is in the fields; whatever differs from what was found is this tab's from then on. */
  const shownNow = useCallback(() => {
    const shown = draftValues(form, methods.getValues());
    for (const { name } of fieldsOf(form)) if (!isSame(shown[name], found.current[name])) changed.current.add(name);
    return shown;
  }, [form, methods]);

  const save = useCallback(() => {
    if (closed.current) return;
    const shown = shownNow();
    const draft = loadDraft(form.kind);
    // Sent or discarded in another tab, and nothing was done in this one.
    if (!draft && changed.current.size === 0) return;
    const values = withChanges(draft?.values, shown, changed.current);
    if (Object.keys(values).length === 0) {
      discardDraft(form.kind);
      wouldBeLost.current = false;
      setKept(undefined);
      return;
    }
    const written = saveDraft(form.kind, { values, attempt: attempt.current ?? draft?.attempt, savedAt: Date.now() });
    wouldBeLost.current = !written;
    setKept(written);
  }, [form, shownNow]);

  useEffect(() => {
    const draft = loadDraft(form.kind);
    attempt.current = draft?.attempt;
    found.current = draft?.values ?? {};
    // What was typed before this script arrived is newer than any draft.
    const typed = draftValues(form, methods.getValues());
    for (const [name, value] of Object.entries(draft?.values ?? {})) {
      if (!(name in typed)) methods.setValue(name, value);
    }
    if (Object.keys(draft?.values ?? {}).some((name) => !linked.includes(name))) setRestored(true);
  }, [form, methods, linked]);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const unsubscribe = methods.subscribe({
      formState: { values: true },
      callback: () => {
        clearTimeout(timer);
        timer = setTimeout(save, pause);
      },
    });
    const warn = (event: BeforeUnloadEvent) => {
      save();
      if (wouldBeLost.current) event.preventDefault();
    };
    addEventListener("pagehide", save);
    addEventListener("beforeunload", warn);
    return () => {
      clearTimeout(timer);
      save();
      unsubscribe();
      removeEventListener("pagehide", save);
      removeEventListener("beforeunload", warn);
    };
  }, [methods, save]);

  /** Deletes the draft, and saves nothing more of what is in the form now. */
  const close = useCallback(() => {
    closed.current = true;
    wouldBeLost.current = false;
    const values = draftValues(form, leftByOthers(loadDraft(form.kind)?.values ?? {}, shownNow(), changed.current));
    discardDraft(form.kind);
    if (Object.keys(values).length > 0) saveDraft(form.kind, { values, savedAt: Date.now() });
  }, [form, shownNow]);

  /** `restored`: something that was typed is back. `kept`: whether this device has written down what is in the fields. */
  return { restored, kept, hideNotice: () => setRestored(false), attempt, save, close };
}
