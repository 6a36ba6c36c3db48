import { useShell } from "../../lib/shell-context";
import { StartOver } from "./start-over";

/** The organiser has closed the form. */
export function ClosedNotice({ message }: { message: string | null }) {
  return (
    <div className="form-notice" role="note">
      <p>{message ?? "This form is closed at the moment."}</p>
    </div>
  );
}

/** What was typed on an earlier visit is back; without `onDiscard` something else on the page offers what to do. */
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

/** Shown while the form is not live and its script failed or takes very long; style sheets alone decide, since script may be what is missing. */
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
