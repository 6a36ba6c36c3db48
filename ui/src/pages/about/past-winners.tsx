import type { PastEdition } from "../../lib/content-types";

/** The winners of earlier editions. */
export function PastWinners({ past }: { past: PastEdition[] }) {
  if (past.length === 0) return null;
  return (
    <section className="section dark" aria-labelledby="past-title">
      <div className="frame">
        <h2 id="past-title">Past winners</h2>
        {past.map(({ title, dates, winners }) => (
          <div key={title} className="past-edition">
            <h3>{title} <span className="soft">{dates}</span></h3>
            <dl className="item-grid">
              {winners.map(({ award, name, business }) => (
                <div key={award + name}>
                  <dt className="eyebrow">{award}</dt>
                  <dd className="title">{name}</dd>
                  {business && <dd>{business}</dd>}
                </div>
              ))}
            </dl>
          </div>
        ))}
      </div>
    </section>
  );
}
