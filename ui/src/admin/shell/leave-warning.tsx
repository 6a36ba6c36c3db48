import { useEffect, useRef, useState } from "react";
import { Button } from "../../kit/button";
import { Dialog } from "../../kit/dialog";

/** Asks before a link leads away from what is not saved; before the tab is closed, the browser asks. */
export function LeaveWarning({ isUnsaved, onLeave }: { isUnsaved: boolean; onLeave?: () => void }) {
  const [link, setLink] = useState<HTMLAnchorElement>();
  const isLeaving = useRef(false);
  useEffect(() => {
    if (!isUnsaved) return;
    const ask = (event: MouseEvent) => {
      const target = event.target instanceof Element && event.target.closest<HTMLAnchorElement>("a[href]");
      const opensElsewhere = event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
      if (!target || target.target || opensElsewhere || isLeaving.current) return;
      event.preventDefault();
      event.stopPropagation();
      setLink(target);
    };
    const warn = (event: BeforeUnloadEvent) => {
      if (!isLeaving.current) event.preventDefault();
    };
    document.addEventListener("click", ask, true);
    addEventListener("beforeunload", warn);
    return () => {
      document.removeEventListener("click", ask, true);
      removeEventListener("beforeunload", warn);
    };
  }, [isUnsaved]);
  if (!link) return null;
  const leave = () => {
    isLeaving.current = true;
    onLeave?.();
    link.click();
  };
  return (
    <Dialog small title="Leave without saving?" closeLabel="Stay here" onClose={() => setLink(undefined)} actions={<Button onClick={leave}>Leave</Button>}>
      <p>What you changed on this page is not saved yet, and is lost if you leave it now.</p>
    </Dialog>
  );
}
