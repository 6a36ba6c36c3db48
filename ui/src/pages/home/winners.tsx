import type { After } from "../../lib/content-types";
import { Laurel } from "../../brand/laurel-picture";

interface WinnersProps extends Pick<After, "winners" | "winnersTitle"> {
  year: string;
}

/** Who won what, once the event is over. */
export function Winners({ winners, winnersTitle, year }: WinnersProps) {
  if (winners.length === 0) return null;
  return (
    <section className="section dark" aria-labelledby="winners-title">
      <div className="frame">
        <div className="winners-head">
          <div className="laurel-place"><Laurel /><span className="display" aria-hidden="true">{year}</span></div>
          <h2 id="winners-title">{winnersTitle}</h2>
        </div>
        <dl className="winners">
          {winners.map(({ award, name, business }) => (
            <div key={award + name}>
              <dt className="eyebrow">{award}</dt>
              <dd className="winner">{name}</dd>
              {business && <dd className="soft">{business}</dd>}
            </div>
          ))}
        </dl>
      </div>
    </section>
  );
}
