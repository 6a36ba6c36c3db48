/** Moves the focus to the sheet's first field with a value that was not taken. Returns whether there is one. */
export function goToInvalidField(): boolean {
  const field = document.querySelector<HTMLElement>(".judge-form [data-stepper][aria-invalid]");
  if (!field) return false;
  // Penalties may be folded up.
  field.closest("details")?.setAttribute("open", "");
  field.scrollIntoView({ block: "center" });
  field.focus({ preventScroll: true });
  return true;
}
