import { useEffect, useRef, useState, type ReactNode } from "react";
import { createPortal } from "react-dom";
import { dollars } from "../lib/money";

interface Props {
  step: 0 | 1 | 2;
  title: string;
  children?: ReactNode;
}

/** The head of a step that took the place of the form: it takes the focus, so that the change is heard and seen. */
export function StepHead({ step, title, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    scrollTo({ top: 0, behavior: "instant" });
  }, [title]);
  return (
    <header className="entry-head">
      <StepList current={step} />
      <h1 ref={heading} tabIndex={-1}>{title}</h1>
      {children}
    </header>
  );
}

const steps = ["Your entry", "Payment", "Complete"];

/** The steps of the entry, with the current one marked. */
function StepList({ current }: { current: 0 | 1 | 2 }) {
  return (
    <ol className="entry-steps" aria-label="Steps">
      {steps.map((step, index) => (
        <li key={step} aria-current={index === current ? "step" : undefined} data-done={index < current || undefined}>
          <span className="figures" aria-hidden="true">{index + 1}</span> {step}
          {index < current && <span className="hidden-text"> (done)</span>}
        </li>
      ))}
    </ol>
  );
}

/** Where the bar has its button on other pages, it shows the step of the entry and what it costs. */
export function BarStatus({ step, cents }: { step: 1 | 2 | 3; cents?: number }) {
  const [place, setPlace] = useState<HTMLElement | null>(null);
  useEffect(() => setPlace(document.getElementById("bar-status")), []);
  return place && createPortal(
    <>
      <span>Step {step} of 3</span>
      {cents !== undefined && <strong>{dollars(cents)}</strong>}
    </>,
    place,
  );
}
