import type { DatedStep } from "./journey-steps";

interface Props {
  steps: DatedStep[];
  /** So many of them are behind her. */
  done?: number;
}

/** A competitor's way, step by step. */
export function StepList({ steps, done = 0 }: Props) {
  return (
    <ol className="journey">
      {steps.map(({ title, text, when }, index) => (
        <li key={title} data-done={index < done || undefined}>
          <h3>{title}{index < done && <span className="hidden-text"> (done)</span>}</h3>
          {index >= done && when !== "" && <p className="journey-when figures">{when}</p>}
          {index >= done && <p>{text}</p>}
        </li>
      ))}
    </ol>
  );
}
