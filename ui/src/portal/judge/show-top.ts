/** After a sheet has changed its state: back to its beginning, and the title takes the focus. */
export function showTop(): void {
  scrollTo({ top: 0, behavior: "instant" });
  document.querySelector(".judge-form")?.scrollTo({ top: 0, behavior: "instant" });
  document.querySelector("h1")?.focus({ preventScroll: true });
}
