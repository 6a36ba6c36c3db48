import type { After as AfterContent } from "../../api/content-types";
import { Laurel } from "../../parts/laurel-picture";

/** What the page begins with once the event is over. */
export function After({ data }: { data: AfterContent }) {
  return (
    <section className="section dark after" aria-labelledby="after-title">
      <div className="frame">
        <Laurel />
        <h2 id="after-title">{data.title}</h2>
        <p className="lead">{data.text}</p>
        {data.winners.length > 0 && (
          <>
            <h3>{data.winnersTitle}</h3>
            <dl className="winners">
              {data.winners.map(({ award, name, business }) => (
                <div key={award + name}><dt className="eyebrow">{award}</dt><dd className="title">{name} {business && <span className="soft">{business}</span>}</dd></div>
              ))}
            </dl>
          </>
        )}
        <h3>{data.nextTitle}</h3>
        <p><a href="#waitlist">{data.nextText}</a></p>
      </div>
    </section>
  );
}
