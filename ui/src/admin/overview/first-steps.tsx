import { Link } from "wouter";
import { CheckIcon } from "../../kit/check-icon";
import type { Steps } from "./api";

/** The page on which each step is done. */
const places: Record<string, string> = {
  people: "/export-data/site?part=people", dates: "/export-data/site?part=facts", email: "/export-data/outbox", payment: "/export-data/payments", pictures: "/export-data/site?part=home", legal: "/export-data/site?part=legal", door: "/export-data/door",
};

/** The checklist of a new site. */
export function FirstSteps({ steps: { items, done: count, total } }: { steps: Steps }) {
  return (
    <section className="first-steps" aria-labelledby="first-steps-title">
      <div className="part-head">
        <h2 id="first-steps-title">First steps</h2>
        <p className="soft figures">{count} of {total} done</p>
      </div>
      <ol>
        {items.map(({ key, title, detail, done, view }) => (
          <li key={key} className={done ? "is-done" : undefined}>
            <span className="first-step-mark">{done && <CheckIcon />}</span>
            <div>
              <p>{done ? <>{title}<span className="hidden-text">: done</span></> : <Link href={view ? `/export-data/site?view=${view}` : places[key] ?? "/export-data/site"}>{title}</Link>}</p>
              {!done && <p className="soft">{detail}</p>}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
