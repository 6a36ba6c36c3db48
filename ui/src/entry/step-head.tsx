import { useEffect, useRef, type ReactNode } from "react";
import { StepList } from "./step-list";

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
