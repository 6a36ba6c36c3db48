/** Why something is not possible: a sentence for each reason. */
export function Blockers({ intro, blockers }: { intro: string; blockers: string[] }) {
  return (
    <>
      <p className="measure">{intro}</p>
      <ul className="points blockers">{blockers.map((blocker) => <li key={blocker}>{blocker}</li>)}</ul>
    </>
  );
}
