/** Calls `task` when the browser is idle, or after 100 ms where it cannot tell. Returns how to call it off. */
export function whenIdle(task: () => void): () => void {
  if (typeof requestIdleCallback === "function") {
    const handle = requestIdleCallback(task);
    return () => cancelIdleCallback(handle);
  }
  const timer = setTimeout(task, 100);
  return () => clearTimeout(timer);
}

/** Settles when the element is about to come into view, or at once where nobody can tell. */
export function whenNear(element: Element): Promise<void> {
  return new Promise((settle) => {
    if (typeof IntersectionObserver !== "function") return settle();
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      observer.disconnect();
      settle();
    }, { rootMargin: "800px" });
    // The place itself may have no box.
    observer.observe(element.firstElementChild ?? element);
  });
}
