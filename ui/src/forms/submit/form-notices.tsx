import { useShell } from "../../lib/shell-context";
import { StartOver } from "./start-over";

/** Where the browser refuses to store anything, as those inside of apps may. */
export const notKept = "This browser keeps nothing of what you type. Please send it before you leave the page.";

/** Shown when the organiser has closed the form. */
export function ClosedNotice({ message }: { message: string | null }) {
  return (
    <div className="form-notice" role="note">
      <p>{message ?? "This form is closed at the moment."}</p>
    </div>
  );
}

/** Shown when a draft of an earlier visit was restored. Omit `onDiscard` if another part of the page has that button. */
export function RestoredNotice({ onDiscard, onKeep }: { onDiscard?: () => void; onKeep: () => void }) {
  return (
    <div className="form-notice" role="status">
      <p>We kept what you typed last time, on this device only.</p>
      {onDiscard && (
        <p className="form-notice-actions">
          <button type="button" className="button button-plain" onClick={onKeep}>Continue</button>
          <StartOver onStartOver={onDiscard} />
        </p>
      )}
    </div>
  );
}

/** Shown while the form is not hydrated and its script has failed or is very slow. Only CSS shows it, because the script may be missing. */
export function StalledNotice() {
  const { email } = useShell();
  return (
    <div className="form-notice form-stalled">
      <p>
        This form did not load completely and cannot be sent yet. Please reload the page, or write
        to <a href={`mailto:${email}`}>{email}</a>.
      </p>
    </div>
  );
}
