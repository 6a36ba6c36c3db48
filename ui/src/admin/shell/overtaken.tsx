/** Something that two organisers have changed. */
export interface Difference {
  label: string;
  stored: string;
  /** Nothing where only the other one has changed it. */
  yours?: string;
}

/** What somebody else has saved in the meantime, beside what is typed here. */
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
