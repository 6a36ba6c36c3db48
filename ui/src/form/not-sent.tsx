/** Says above the button what a notification said for five seconds, until the form is sent. */
export function NotSent({ reason, kept }: { reason: string; kept: boolean }) {
  return (
    <div className="form-notice not-sent">
      <p>
        <strong>Not sent.</strong> {reason}{kept && " Your answers are safe on this device."}
      </p>
    </div>
  );
}
