import { useCallback, useEffect, useRef, useState } from "react";
import type { UseFormReturn } from "react-hook-form";
import type { Attempt } from "../api/idempotency-key";
import { discardDraft, loadDraft, saveDraft } from "./draft";
import type { FormRule } from "./form-rules";
import type { Values } from "./rules";
import { draftValues } from "./values";

/** Rests between letters, so that typing never waits for the disk. */
const pause = 400;

const none: readonly string[] = [];

/** Keeps what is typed until it is sent, and brings it back. The fields of `linked` may have been filled by a link. */
export function useDraft(form: FormRule, methods: UseFormReturn<Values>, linked = none) {
  const [restored, setRestored] = useState(false);
  const [kept, setKept] = useState(false);
  const attempt = useRef<Attempt | undefined>(undefined);
  const wouldBeLost = useRef(false);
  const closed = useRef(false);

  const save = useCallback(() => {
    if (closed.current) return;
    const values = draftValues(form, methods.getValues());
    if (Object.keys(values).length === 0) {
      discardDraft(form.kind);
      wouldBeLost.current = false;
      setKept(false);
      return;
    }
    const written = saveDraft(form.kind, { values, attempt: attempt.current, savedAt: Date.now() });
    wouldBeLost.current = !written;
    setKept(written);
  }, [form, methods]);

  useEffect(() => {
    const draft = loadDraft(form.kind);
    attempt.current = draft?.attempt;
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

  /** Forgets the draft; nothing is kept of this fill any more. */
  const close = useCallback(() => {
    closed.current = true;
    wouldBeLost.current = false;
    discardDraft(form.kind);
  }, [form]);

  /** `restored`: something that was typed is back. `kept`: what is in the fields has been written down on this device. */
  return { restored, kept, hideNotice: () => setRestored(false), attempt, save, close };
}
