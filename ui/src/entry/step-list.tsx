const steps = ["Your entry", "Payment", "Complete"];

/** The steps of the entry, with the current one marked. */
export function StepList({ current }: { current: 0 | 1 | 2 }) {
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
