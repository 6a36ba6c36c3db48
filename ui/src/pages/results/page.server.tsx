import { Laurel } from "../../brand/laurel";
import { PageHead } from "../../kit/page-head";
import type { PublishedCategory } from "../../lib/answer-types";
import type { Head, PageInput } from "../../lib/page";

export function View({ data: { dates, city, categories } }: { data: Data }) {
  return (
    <>
      <PageHead title="Results" eyebrow={`${dates} · ${city}`} lead="Every place of the championship, as the judges scored it." art={<Laurel />} />
      <div className="frame">{categories.map((category) => <Category key={category.label} category={category} />)}</div>
    </>
  );
}

function Category({ category: { label, rows } }: { category: PublishedCategory }) {
  return (
    <section className="results-category" aria-label={label}>
      <h2>{label}</h2>
      <ol className="results-list">
        {rows.map(({ place, name, businessName, points }) => (
          <li key={`${place} ${name} ${points}`} data-place={place}>
            <span className="results-place figures">{place}</span>
            <span className="results-name">{name}{businessName && <span className="results-business">{businessName}</span>}</span>
            <span className="figures">{points}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

type Data = ReturnType<typeof data>;

export function data({ content: { event }, site }: PageInput) {
  return { name: event.name, dates: event.dates, city: event.city, categories: site.results.categories };
}

export function head({ name }: Data): Head {
  return { title: `Results - ${name}`, description: `Championship placings and points at the ${name}.` };
}
