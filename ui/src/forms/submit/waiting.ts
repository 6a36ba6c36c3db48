import type { Kind } from "../../lib/page";

// React finishes all the work that makes a form live before it takes in the first letter, and nothing is to be seen of
// that letter until then. A text field needs no script to be written in, and what stands in it when the form becomes
// live is taken over: so until then what happens in a text field is told to nobody.

const disturbing = [
  "touchstart", "touchend", "pointerdown", "pointerup", "mousedown", "mouseup", "click",
  "keydown", "keypress", "keyup", "compositionstart", "compositionend", "textInput", "input", "change", "paste", "cut",
] as const;

const waitingText = ":is(input:not([type=radio], [type=checkbox]), textarea)";

/** What a form carries until it is live: its kind, by which its draft is found. */
export const waiting = (kind: Kind) => ({ "data-waiting": kind });

/** The `ref` of such a form: it is called when the form and its fields are live. */
export function becomesLive(form: HTMLFormElement | null): void {
  form?.removeAttribute("data-waiting");
}

/** Keeps what is typed into a waiting form from whoever listens on the page. It is called as soon as a form's code is here. */
function leaveTypingAlone(): void {
  const keep = (event: Event) => {
    const { target } = event;
    if (target instanceof Element && target.matches(waitingText) && target.closest("form[data-waiting]")) event.stopPropagation();
  };
  for (const name of disturbing) addEventListener(name, keep, { capture: true, passive: true });
}

// The server has nobody who types.
if (typeof addEventListener === "function") leaveTypingAlone();
