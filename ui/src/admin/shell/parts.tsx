import { useEffect, useId, useRef, useState, type ReactNode } from "react";
import { Button } from "../../kit/button";
import { ErrorBoundary } from "../../kit/error-boundary";
import { Disclosure } from "../../kit/disclosure";
import { AddressLink, type Changes } from "./address";
import { AdminTitle } from "./admin-title";

/** One section of a page: when its code fails, the sections around it stay. */
export function SectionBoundary({ children }: { children: ReactNode }) {
  return <ErrorBoundary fallback={<SectionFailed />}>{children}</ErrorBoundary>;
}

function SectionFailed() {
  return (
    <div className="failure" role="alert">
      <p>This section could not be shown. Reload the page to try again.</p>
      <Button look="outline" onClick={() => location.reload()}>Reload</Button>
    </div>
  );
}

interface Props {
  title: string;
  className: string;
  children: ReactNode;
}

/** A part of a long page that is not needed every day. On a phone only its title is shown until it is opened. */
export function FoldedPart({ title, className, children }: Props) {
  const id = useId();
  const [isNarrow] = useState(() => matchMedia("(max-width: 47.99rem)").matches);
  const heading = <h2 id={id}>{title}</h2>;
  return (
    <section className={isNarrow ? `${className} is-folded` : className} aria-labelledby={id}>
      {isNarrow ? <Disclosure summary={heading}>{children}</Disclosure> : <>{heading}{children}</>}
    </section>
  );
}

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

/** The way back and the title of a page that another one of its section leads to. */
export function SectionHead({ back, backTo, title, children }: { back: Changes; backTo: ReactNode; title: ReactNode; children?: ReactNode }) {
  return (
    <>
      <p className="way-back"><AddressLink to={back} focusTitle>{backTo}</AddressLink></p>
      <header className="admin-head"><AdminTitle>{title}</AdminTitle>{children}</header>
    </>
  );
}

/** A part of a page, below its title. */
export function Part({ title, className = "", children }: { title: ReactNode; className?: string; children: ReactNode }) {
  const id = useId();
  return <section className={`admin-part ${className}`.trim()} aria-labelledby={id}><h2 id={id}>{title}</h2>{children}</section>;
}
