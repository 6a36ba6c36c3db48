import { useSyncExternalStore } from "react";
import type { Kind } from "../../lib/answer-types";

// When an event reaches a form that is not hydrated yet, React hydrates the whole form before the browser can show the typed
// character. A text field works without script, and hydration takes over its text. So until the form is hydrated, events in
// text fields are hidden from React.

const disturbing = [
  "touchstart", "touchend", "pointerdown", "pointerup", "mousedown", "mouseup", "click",
  "keydown", "keypress", "keyup", "compositionstart", "compositionend", "textInput", "input", "change", "paste", "cut",
] as const;

const unhydratedText = ":is(input:not([type=radio], [type=checkbox]), textarea)";

/** The attribute of a form until it is hydrated: its kind, by which its draft is found. */
export const unhydrated = (kind: Kind) => ({ "data-waiting": kind });

/** The `ref` of such a form. It is called when the form and its fields are hydrated. */
export function markHydrated(form: HTMLFormElement | null): void {
  form?.removeAttribute("data-waiting");
}

/** Hides typing in a form that is not hydrated yet from the page's listeners. It is called when a form's code has loaded. */
function deferTypingUntilHydrated(): void {
  const keep = (event: Event) => {
    const { target } = event;
    if (target instanceof Element && target.matches(unhydratedText) && target.closest("form[data-waiting]")) event.stopPropagation();
  };
  for (const name of disturbing) addEventListener(name, keep, { capture: true, passive: true });
}

// There is no typing on the server.
if (typeof addEventListener === "function") deferTypingUntilHydrated();

const never = () => () => {};

/** Whether the script is here: false on the server and until the page is hydrated. */
export function useHydrated(): boolean {
  return useSyncExternalStore(never, () => true, () => false);
}
