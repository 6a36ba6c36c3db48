/** Scrolls to the top and moves the focus to the title, after a sheet's state has changed. */
export function showTop(): void {
  scrollTo({ top: 0, behavior: "instant" });
  document.querySelector(".judge-form")?.scrollTo({ top: 0, behavior: "instant" });
  document.querySelector("h1")?.focus({ preventScroll: true });
}
