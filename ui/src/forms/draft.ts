import { useCallback, useEffect, useRef, useState } from "react";
import type { UseFormReturn } from "react-hook-form";
import type { Kind } from "../lib/answer-types";
import { read, write } from "../lib/browser-storage";
import type { Attempt } from "../lib/idempotency-key";
import type { Values } from "./rules/rules";
import { fieldsOf, type FormRule } from "./rules/form-rules";
import { draftValues } from "./rules/values";

/** The answers of a form that is not sent yet. They stay in this browser. */
interface Draft {
  values: Values;
  /** The last attempt to send exactly these values, so that a retry after a reload has the same idempotency key. */
  attempt?: Attempt;
  savedAt: number;
}

/** In milliseconds. An older draft is not offered, not least because the computer may be shared. */
const keptFor = 30 * 24 * 3600 * 1000;

/** Drafts that the browser's storage has refused (private window, full disk). They last until the page is left. */
const visit = new Map<string, Draft>();

export function loadDraft(kind: Kind, now = Date.now()): Draft | undefined {
  const draft = visit.get(kind) ?? read<Draft>(() => localStorage, keyOf(kind));
  if (!draft || typeof draft.values !== "object" || now - draft.savedAt > keptFor) return undefined;
  return draft;
}

/** Saves a draft. Returns false if it would be lost on leaving the site. */
export function saveDraft(kind: Kind, draft: Draft): boolean {
  const isStored = write(() => localStorage, keyOf(kind), draft);
  if (isStored) visit.delete(kind);
  else visit.set(kind, draft);
  return isStored;
}

export function discardDraft(kind: Kind): void {
  visit.delete(kind);
  write(() => localStorage, keyOf(kind), undefined);
}

/** The values to save when other tabs may have the same form: for the fields `changed` in this tab those it shows, for all others those already saved. */
export function withChanges(kept: Values | undefined, shown: Values, changed: ReadonlySet<string>): Values {
  return { ...only(kept ?? shown, (name) => !changed.has(name)), ...only(shown, (name) => changed.has(name)) };
}

/** The saved values that were neither changed nor shown in this tab. They belong to another tab and stay when this one discards its draft. */
export function leftByOthers(kept: Values, shown: Values, changed: ReadonlySet<string>): Values {
  return only(kept, (name) => !changed.has(name) && !isSame(kept[name], shown[name]));
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function only(values: Values, isWanted: (name: string) => boolean): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => isWanted(name)));
}

function keyOf(kind: Kind): string {
  return `draft:${kind}`;
}

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
