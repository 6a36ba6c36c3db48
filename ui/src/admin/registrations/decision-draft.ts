import { useState } from "react";
import type { Kind } from "../../lib/page";

/** What an organiser has chosen and written about a registration, and not saved yet. */
export interface Draft {
  status?: string;
  note?: string;
  /** What the email says to this person alone. */
  line?: string;
}

const drafts = new Map<string, Draft>();

/** Kept in memory until it is saved: the session may end over it, or somebody may look something up in a list. */
export function useDecisionDraft(kind: Kind, id: number) {
  const key = `${kind}/${id}`;
  const [draft, setDraft] = useState<Draft>(() => drafts.get(key) ?? {});
  const change = (part: Draft) => {
    const changed = { ...draft, ...part };
    drafts.set(key, changed);
    setDraft(changed);
  };
  /** The status stays chosen while the registration is read anew. */
  const saved = () => {
    drafts.delete(key);
    setDraft(({ status }) => ({ status }));
  };
  return { draft, change, saved };
}

/** Whoever signs out leaves nothing behind for the next one. */
export function forgetDrafts(): void {
  drafts.clear();
}
