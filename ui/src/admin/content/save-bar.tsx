import { Button } from "../../kit/button";
import { buttonClass } from "../../kit/button-class";
import { AddressLink } from "../shell/address-link";
import { problemsWithin, draftStore, useDisputes, useErrors, useSaved, useStatus } from "./use-draft";

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

function StateText() {
  const status = useStatus();
  const disputes = useDisputes();
  const errors = useErrors();
  const saved = useSaved()?.value;
  switch (status) {
    case "offline": return <><strong>No connection.</strong> What you typed is kept on this device and is saved when the connection is back. <Button look="text" onClick={() => void draftStore.flush()}>Try now</Button></>;
    case "saving": case "unsaved": return "Saving…";
    case "disputed": return <><strong>Somebody else changed the same.</strong> {disputes.length === 1 ? "Choose" : `Choose ${disputes.length} times`} at the top of the page.</>;
    case "refused": return <><strong>Not everything is saved yet.</strong> {Object.keys(errors).length === 1 ? "One field needs" : `${Object.keys(errors).length} fields need`} your attention.</>;
    case "saved": {
      const problems = problemsWithin([""]).length;
      if (problems > 0) return `Saved. ${problems === 1 ? "1 problem has" : `${problems} problems have`} to be fixed before publishing.`;
      return saved && saved.changes.length > 0 ? "Saved as a draft. Visitors do not see it yet." : "The site is as you see it here.";
    }
  }
}
