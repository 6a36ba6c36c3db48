import { useEffect, useEffectEvent } from "react";

/** Runs a task when the page becomes hidden and when the component unmounts. A phone may end a hidden page without another event. */
export function useBeforeLeaving(task: () => void): void {
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
