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
export function whenNear(id: string): Promise<void> {
  return new Promise((settle) => {
    const element = document.getElementById(id);
    if (!element || typeof IntersectionObserver !== "function") return settle();
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      observer.disconnect();
      settle();
    }, { rootMargin: "800px" });
    observer.observe(element);
  });
}
