import type { Kind } from "../../lib/page";
import type { Attempt } from "../../lib/idempotency-key";
import type { Values } from "../rules/rules";

/** The answers of a form that is not sent yet. They stay in this browser. */
export interface Draft {
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
  const draft = visit.get(kind) ?? stored(kind);
  if (!draft || typeof draft.values !== "object" || now - draft.savedAt > keptFor) return undefined;
  return draft;
}

/** Saves a draft. Returns false if it would be lost on leaving the site. */
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
    // If the storage cannot be used, it has no draft to remove.
  }
}

/** The values to save when other tabs may have the same form: for the fields `changed` in this tab those it shows, for all others those already saved. */
export function withChanges(kept: Values | undefined, shown: Values, changed: ReadonlySet<string>): Values {
  return { ...only(kept ?? shown, (name) => !changed.has(name)), ...only(shown, (name) => changed.has(name)) };
}

/** The saved values that were neither changed nor shown in this tab. They belong to another tab and stay when this one discards its draft. */
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
