import { useId, useState, type ReactNode } from "react";
import { Disclosure } from "../../kit/disclosure";

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
