import type { Kind } from "../api/page";
import type { Attempt } from "../api/idempotency-key";
import type { Values } from "./rules";

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
  const draft = stored(kind) ?? visit.get(kind);
  if (!draft || typeof draft.values !== "object" || now - draft.savedAt > keptFor) return undefined;
  return draft;
}

/** Keeps a draft; false when leaving the site would lose it. */
export function saveDraft(kind: Kind, draft: Draft): boolean {
  visit.set(kind, draft);
  try {
    localStorage.setItem(keyOf(kind), JSON.stringify(draft));
    return true;
  } catch {
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
