/** A value that somebody else has changed meanwhile. */
export interface Difference {
  label: string;
  stored: string;
  /** Undefined if it was not changed here. */
  yours?: string;
}

/** Shows what somebody else has saved in the meantime beside what was typed here. */
export function Overtaken({ what, differences }: { what: string; differences: readonly Difference[] }) {
  return (
    <div className="failure" role="alert">
      <div>
        <p><strong>Somebody changed this {what} in the meantime.</strong> Nothing was saved. Compare, then save yours or leave it.</p>
        {differences.length > 0 && (
          <dl className="versions">
            {differences.map(({ label, stored, yours }) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>Now stored: {stored}</dd>
                {yours !== undefined && <dd>Yours: {yours}</dd>}
              </div>
            ))}
          </dl>
        )}
      </div>
    </div>
  );
}
