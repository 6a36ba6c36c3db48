import { savedText } from "./words";
import type { Sending } from "./changes";

/** Whether the server has everything. It is read out when it changes. */
export function SavedState({ sending, sheet }: { sending: Sending; sheet?: string }) {
  return <p role="status" className="judge-saved" data-offline={sending.state === "offline" || undefined}>{savedText(sending, sheet)}</p>;
}
