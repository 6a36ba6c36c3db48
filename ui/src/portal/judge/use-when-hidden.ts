import { useEffect, useEffectEvent } from "react";

/** Does a task when the page is hidden: a phone may end a hidden page without another event. Also when the component leaves the page. */
export function useWhenHidden(task: () => void): void {
  const latest = useEffectEvent(task);
  useEffect(() => {
    const hide = () => {
      if (document.visibilityState === "hidden") latest();
    };
    document.addEventListener("visibilitychange", hide);
    return () => {
      document.removeEventListener("visibilitychange", hide);
      latest();
    };
  }, []);
}
