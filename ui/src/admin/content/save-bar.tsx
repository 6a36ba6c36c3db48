import { useEffect, useRef, useState, type ReactNode } from "react";
import { useWatch } from "react-hook-form";
import { Button, buttonClass } from "../../kit/button";
import { Dialog } from "../../kit/dialog";
import { AddressLink } from "../shell/address";
import { useDraft } from "./api";
import type { Table } from "./field-types";
import { usePage } from "./page-form";
import { changesOf, isWithin } from "./values";
import { placeOf } from "./places";

interface Props {
  /** The page that the preview shows first. */
  page: string;
  state?: ReactNode;
  button?: ReactNode;
}

/** Whether everything is saved, and the ways to the preview and to publishing. It stays at the bottom of the window. */
export function SaveBar({ page, state, button }: Props) {
  const { saved: { value: { changes, problems, content } } } = useDraft();
  const paths = Object.keys(problems);
  const place = paths.map((path) => placeOf(path, content)).find(Boolean);
  const problemText = paths.length === 1 ? "1 problem has" : `${paths.length} problems have`;
  return (
    <div className="site-bar">
      <p className="site-state" role="status">
        {state ?? (paths.length > 0 ? <>Saved. {place ? <AddressLink to={{ view: null, part: place.part, at: place.path }}>{problemText}</AddressLink> : problemText} to be fixed before publishing.</>
          : changes.length > 0 ? "Saved as a draft. Visitors do not see it yet." : "The site is as you see it here.")}
      </p>
      <div className="site-bar-links">
        {button}
        <AddressLink to={{ part: null, at: null, view: "preview", page }} focusTitle className={buttonClass("outline")}>Preview</AddressLink>
        <AddressLink to={{ part: null, at: null, view: "changes" }} focusTitle className={buttonClass(changes.length > 0 && !button ? "primary" : "outline")}>{changes.length > 0 ? `Review and publish (${changes.length})` : "Nothing to publish"}</AddressLink>
      </div>
    </div>
  );
}

/** The bar of a page with a form. */
export function PageSaveBar({ page }: { page: string }) {
  const { control, paths, base, busy, problems, hasErrors, focus, abandon } = usePage();
  const values = useWatch({ control }) as Table;
  const isChanged = changesOf(paths, base.value.content, values).length > 0;
  const wrong = Object.keys(problems).filter((path) => paths.some((outer) => isWithin(path, outer)));
  const state = hasErrors && isChanged
    ? <><strong>Not saved.</strong> <Button look="text" onClick={() => focus(wrong)}>{wrong.length === 1 ? "One field needs" : `${wrong.length} fields need`} your attention.</Button></>
    : isChanged && "Not saved yet.";
  return (
    <>
      <LeaveWarning isUnsaved={isChanged} onLeave={abandon} />
      <SaveBar page={page} state={state || undefined} button={isChanged && <Button type="submit" busy={busy} busyLabel="Saving…">Save draft</Button>} />
    </>
  );
}

/** Asks before a link leads away from what is not saved; before the tab is closed, the browser asks. */
function LeaveWarning({ isUnsaved, onLeave }: { isUnsaved: boolean; onLeave: () => void }) {
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
    onLeave();
    link.click();
  };
  return (
    <Dialog small title="Leave without saving?" closeLabel="Stay here" onClose={() => setLink(undefined)} actions={<Button onClick={leave}>Leave</Button>}>
      <p>What you changed on this page is not saved yet, and is lost if you leave it now.</p>
    </Dialog>
  );
}
