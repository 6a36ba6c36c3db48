import { useEffect, useRef } from "react";

/** A value that somebody else has changed meanwhile. */
export interface Difference {
  label: string;
  stored: string;
  /** Undefined if it was not changed here. */
  yours?: string;
}

/** Shows what somebody else has saved in the meantime beside what was typed here, and scrolls there: the button may be far below. */
export function ChangedElsewhere({ what, differences }: { what: string; differences: readonly Difference[] }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => void box.current?.scrollIntoView({ block: "nearest" }), []);
  return (
    <div ref={box} className="failure" role="alert">
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
