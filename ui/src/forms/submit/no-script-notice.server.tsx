import { useShell } from "../../lib/shell-context";

/** The form is sent by script; without it, people can still read and write. */
export function NoScriptNotice() {
  const { email } = useShell();
  return (
    <noscript>
      <div className="form-notice">
        <p>
          Sending this form needs JavaScript. You can also write to <a href={`mailto:${email}`}>{email}</a>; what we ask
          for is below, and the terms are on the <a href="/terms">terms page</a>.
        </p>
      </div>
    </noscript>
  );
}
