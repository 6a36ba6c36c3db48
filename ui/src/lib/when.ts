/** Calls `task` when the browser is idle, or after 100 ms in a browser that cannot tell. Returns a function that cancels it. */
export function whenIdle(task: () => void): () => void {
  if (typeof requestIdleCallback === "function") {
    const handle = requestIdleCallback(task);
    return () => cancelIdleCallback(handle);
  }
  const timer = setTimeout(task, 100);
  return () => clearTimeout(timer);
}

/** Resolves when the element is about to come into view, or at once in a browser that cannot tell. */
export function whenNear(element: Element): Promise<void> {
  return new Promise((settle) => {
    if (typeof IntersectionObserver !== "function") return settle();
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      observer.disconnect();
      settle();
    }, { rootMargin: "800px" });
    // The element itself may have `display: contents`, and then no box to observe.
    observer.observe(element.firstElementChild ?? element);
  });
}
