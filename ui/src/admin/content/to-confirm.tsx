import { Button } from "../../kit/button";
import { confirmTexts, useIsUnconfirmed } from "./use-draft";

/** Marks a text that names a date of the previous edition, until it is changed or confirmed. */
export function ToConfirm({ path, label }: { path: string; label: string }) {
  if (!useIsUnconfirmed(path)) return null;
  return (
    <p className="site-to-confirm">
      <span className="site-mark">To be confirmed</span>
      <Button look="text" onClick={() => confirmTexts([path])}>It is right<span className="hidden-text">: {label}</span></Button>
    </p>
  );
}
