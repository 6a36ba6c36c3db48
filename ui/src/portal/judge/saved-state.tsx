import { savedText } from "./words";
import type { Sending } from "./changes";

/** Tells whether the server has every value. Screen readers announce changes. */
export function SavedState({ sending, sheet }: { sending: Sending; sheet?: string }) {
  return <p role="status" className="judge-saved" data-offline={sending.state === "offline" || undefined}>{savedText(sending, sheet)}</p>;
}
