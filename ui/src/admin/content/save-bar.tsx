import type { ReactNode } from "react";
import { Button } from "../../kit/button";
import { buttonClass } from "../../kit/button-class";
import { AddressLink } from "../shell/address-link";
import { problemsWithin, draftStore, useDisputes, useErrors, useSaved, useStatus } from "./use-draft";
import { placeOf } from "./words";

/** Whether everything is saved, and the ways to the preview and to publishing. It stays at the bottom of the window. */
export function SaveBar({ page }: { page: string }) {
  const saved = useSaved()?.value;
  const changes = saved?.changes.length ?? 0;
  return (
    <div className="site-bar">
      <p className="site-state" role="status"><StateText /></p>
      <div className="site-bar-links">
        <AddressLink to={{ part: null, at: null, view: "preview", page }} arrives className={buttonClass("outline")}>Preview</AddressLink>
        <AddressLink to={{ part: null, at: null, view: "changes" }} arrives className={buttonClass(changes > 0 ? "primary" : "outline")}>{changes > 0 ? `Review and publish (${changes})` : "Nothing to publish"}</AddressLink>
      </div>
    </div>
  );
}

/** Leads to the first of these values, which may be on another page or in a closed row. */
function ToField({ paths, children }: { paths: readonly string[]; children: ReactNode }) {
  const path = paths.find((one) => placeOf(one, draftStore.content));
  const place = path && placeOf(path, draftStore.content);
  return place ? <AddressLink to={{ view: null, part: place.part, at: path }}>{children}</AddressLink> : <>{children}</>;
}

function StateText() {
  const status = useStatus();
  const disputes = useDisputes();
  const errors = useErrors();
  const saved = useSaved()?.value;
  switch (status) {
    case "offline": return <><strong>No connection.</strong> What you typed is kept on this device and is saved when the connection is back. <Button look="text" onClick={() => void draftStore.flush()}>Try now</Button></>;
    case "saving": case "unsaved": return "Saving…";
    case "disputed": return <><strong>Somebody else changed the same.</strong> {disputes.length === 1 ? "Choose" : `Choose ${disputes.length} times`} at the top of the page.</>;
    case "refused": return <><strong>Not everything is saved yet.</strong> <ToField paths={Object.keys(errors)}>{Object.keys(errors).length === 1 ? "One field needs" : `${Object.keys(errors).length} fields need`} your attention.</ToField></>;
    case "saved": {
      const problems = problemsWithin([""]).length;
      if (problems > 0) return <>Saved. <ToField paths={problemsWithin([""])}>{problems === 1 ? "1 problem has" : `${problems} problems have`} to be fixed before publishing.</ToField></>;
      return saved && saved.changes.length > 0 ? "Saved as a draft. Visitors do not see it yet." : "The site is as you see it here.";
    }
  }
}
