import type { Kind } from "../../lib/page";
import type { Attempt } from "../../lib/idempotency-key";
import type { Values } from "../rules/rules";

/** What somebody typed and has not sent yet. It stays in this browser. */
export interface Draft {
  values: Values;
  /** The last try to send exactly these values, so that a try after a reload is the same request. */
  attempt?: Attempt;
  savedAt: number;
}

/** A month later nobody remembers the form, and a shared computer should not either. */
const keptFor = 30 * 24 * 3600 * 1000;

/** Where the browser keeps nothing (private windows, full disks), the draft lasts as long as the visit. */
const visit = new Map<string, Draft>();

export function loadDraft(kind: Kind, now = Date.now()): Draft | undefined {
  const draft = visit.get(kind) ?? stored(kind);
  if (!draft || typeof draft.values !== "object" || now - draft.savedAt > keptFor) return undefined;
  return draft;
}

/** Keeps a draft; false when leaving the site would lose it. */
export function saveDraft(kind: Kind, draft: Draft): boolean {
  try {
    localStorage.setItem(keyOf(kind), JSON.stringify(draft));
    visit.delete(kind);
    return true;
  } catch {
    visit.set(kind, draft);
    return false;
  }
}

export function discardDraft(kind: Kind): void {
  visit.delete(kind);
  try {
    localStorage.removeItem(keyOf(kind));
  } catch {
    // Storage that cannot be written has nothing to remove.
  }
}

/** What to keep where other tabs have the same form: the fields `changed` in this one as it shows them, the others as they are kept. */
export function withChanges(kept: Values | undefined, shown: Values, changed: ReadonlySet<string>): Values {
  return { ...only(kept ?? shown, (name) => !changed.has(name)), ...only(shown, (name) => changed.has(name)) };
}

/** What is kept and was neither changed nor shown here: another tab's, which the end of this fill leaves alone. */
export function leftByOthers(kept: Values, shown: Values, changed: ReadonlySet<string>): Values {
  return only(kept, (name) => !changed.has(name) && !isSame(kept[name], shown[name]));
}

export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function only(values: Values, isWanted: (name: string) => boolean): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => isWanted(name)));
}

function stored(kind: Kind): Draft | undefined {
  try {
    return (JSON.parse(localStorage.getItem(keyOf(kind)) ?? "null") as Draft | null) ?? undefined;
  } catch {
    return undefined;
  }
}

function keyOf(kind: Kind): string {
  return `draft:${kind}`;
}
