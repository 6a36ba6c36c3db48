import { Fragment } from "react";
import type { Judging, Rubric } from "../../lib/content-types";

export interface NamedRubric extends Rubric {
  /** As the entry form names the category. */
  label: string;
}

/** What the judges give points for, category by category. */
export function Rubrics({ rubrics, scale }: { rubrics: NamedRubric[]; scale: Judging["scale"] }) {
  if (rubrics.length === 0) return null;
  return (
    <section className="section frame two-columns" id="rubrics" aria-labelledby="rubrics-title">
      <div>
        <h2 id="rubrics-title">How your work is scored</h2>
        <p className="lead">Judges see a code and your photos, never your name. They score every entry in a category by the same rubric.</p>
        <dl className="scale">{scale.map(({ points, text }) => <div key={points}><dt className="figures">{points}</dt><dd>{text}</dd></div>)}</dl>
      </div>
      <div>{rubrics.map((rubric) => <OneRubric key={`${rubric.category} ${rubric.subCategory}`} rubric={rubric} />)}</div>
    </section>
  );
}

function OneRubric({ rubric }: { rubric: NamedRubric }) {
  const { label: name, criteria, penalties, penaltyCap } = rubric;
  return (
    <details className="rubric">
      <summary><h3><Breakable text={name} /></h3> <span className="soft figures">{criteria.length} criteria, {criteria.reduce((sum, { max }) => sum + max, 0)} points</span> <span className="fold-sign" aria-hidden="true" /></summary>
      <dl>{criteria.map(({ key, label, fullMarks, max }) => <div key={key}><dt>{label}</dt><dd className="figures">{max}</dd><dd className="soft">{fullMarks}</dd></div>)}</dl>
      {penalties.length > 0 && <p>Penalties, at most {penaltyCap} points in all: {penalties.map(({ label, max }) => `${label} (up to ${max})`).join(", ")}.</p>}
      <p className="soft">{ruleOf(rubric)}</p>
    </details>
  );
}

/** How points become places, in sentences. */
function ruleOf({ criteria, tieOrder, minimumForPlaces, thresholdPercent }: Rubric): string {
  const named = tieOrder.map((key) => criteria.find((criterion) => criterion.key === key)?.label.toLowerCase() ?? key);
  return [
    "Your points are the mean of all judges, criterion by criterion.",
    "They are compared as exact fractions and shown with two decimals.",
    ...(named.length > 0 ? [`With equal points fewer penalties decide, then ${named.join(", ")}, then more judges who placed it higher, then the head judge.`] : []),
    ...(minimumForPlaces > 1 ? [thresholdPercent === null ? `With fewer than ${minimumForPlaces} nominations there are no places.` : `With fewer than ${minimumForPlaces} nominations a place needs ${thresholdPercent}% of the points.`] : []),
  ].join(" ");
}

/** Text that may wrap after each slash. */
export function Breakable({ text }: { text: string }) {
  const [first, ...others] = text.split("/");
  return <>{first}{others.map((part, index) => <Fragment key={index}>/<wbr />{part}</Fragment>)}</>;
}
