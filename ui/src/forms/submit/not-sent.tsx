import type { ReactNode } from "react";

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
