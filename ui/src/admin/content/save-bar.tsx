import type { ReactNode } from "react";
import { useWatch } from "react-hook-form";
import { Button, buttonClass } from "../../kit/button";
import { AddressLink } from "../shell/address";
import { LeaveWarning } from "../shell/leave-warning";
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
