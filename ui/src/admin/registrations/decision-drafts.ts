import type { Kind } from "../../lib/page";
import { addKeeper } from "../shell/unsaved";

/** The status, note and texts that an organiser has entered for a registration but not saved yet. */
export interface DecisionDraft {
  status?: string;
  note: string;
  /** What the email says to this person alone. */
  line: string;
}

/** In memory until they are saved: the session may end meanwhile, or the organiser may look something up in a list. */
const drafts = new Map<string, DecisionDraft>();

export function draftOf(kind: Kind, id: number): DecisionDraft | undefined {
  return drafts.get(`${kind}/${id}`);
}

export function keepDraft(kind: Kind, id: number, draft: DecisionDraft): void {
  drafts.set(`${kind}/${id}`, draft);
}

export function forgetDraft(kind: Kind, id: number): void {
  drafts.delete(`${kind}/${id}`);
}

addKeeper({
  what: "a decision or a note about a registration",
  isLeft: () => [...drafts.values()].some(({ status, note, line }) => status !== undefined || note !== "" || line !== ""),
  forget: () => drafts.clear(),
});
