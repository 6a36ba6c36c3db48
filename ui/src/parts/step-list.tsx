import type { DatedStep } from "./steps";

/** A competitor's way, step by step. */
export function StepList({ steps }: { steps: DatedStep[] }) {
  return (
    <ol className="journey">
      {steps.map(({ title, text, when }) => (
        <li key={title}>
          <h3>{title}</h3>
          {when !== "" && <p className="journey-when figures">{when}</p>}
          <p>{text}</p>
        </li>
      ))}
    </ol>
  );
}
