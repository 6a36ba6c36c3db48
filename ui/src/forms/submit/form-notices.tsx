import { useState, type ReactNode } from "react";
import { useShell } from "../../lib/shell-context";

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

interface Props {
  reason: string;
  /** What was typed is in the browser's storage. */
  kept?: boolean;
  /** What the visitor can do next, if there is something. */
  children?: ReactNode;
}

/** Repeats above the button what a notification showed for five seconds. It stays until the form is sent. */
export function NotSent({ reason, kept, children }: Props) {
  return (
    <div className="form-notice not-sent">
      <p>
        <strong>Not sent.</strong> {reason}{kept && " Your answers are safe on this device."}
      </p>
      {children && <p className="form-notice-actions">{children}</p>}
    </div>
  );
}

/** Discards the typed answers after a confirmation. */
export function StartOver({ onStartOver }: { onStartOver: () => void }) {
  const [asked, setAsked] = useState(false);
  if (!asked) return <button type="button" className="button button-plain" onClick={() => setAsked(true)}>Start over</button>;
  return (
    <>
      {/* Takes the focus, because it replaces the button that was pressed. */}
      {/* eslint-disable-next-line jsx-a11y/no-autofocus */}
      <button type="button" className="button button-outline" autoFocus onClick={onStartOver}>Discard what I typed</button>
      <button type="button" className="button button-plain" onClick={() => setAsked(false)}>Keep it</button>
    </>
  );
}
