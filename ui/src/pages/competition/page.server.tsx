import { Art } from "../../brand/art";
import { Mark } from "../../brand/marks";
import { StepList, stepsOf } from "../../entry/journey";
import { PageHead } from "../../kit/page-head";
import { ActionLink, SiteLink, WaitlistLink } from "../../kit/site-link";
import type { Competition, Category, Rubric } from "../../lib/content-types";
import type { Head, PageInput } from "../../lib/page";
import { Jury, juryOf } from "../shared/jury";
import { Rubrics, Breakable } from "./rubrics";

export function View({ data: { competition, event, steps, jury, hasPortal, hasResults, rubrics, scale } }: { data: Data }) {
  return (
    <>
      <PageHead title={competition.title} lead={competition.introduction} eyebrow={`${event.dates} · ${event.city}`} art={<Mark name="creative-lashes" />}>
        <div className="buttons">
          <ActionLink href="/enter-competition">Enter Competition</ActionLink>
          {hasResults && <ActionLink look="outline" href="/results">Results</ActionLink>}
          <WaitlistLink href={competition.waitlistLink.href}>{competition.waitlistLink.label}</WaitlistLink>
        </div>
      </PageHead>
      {steps.length > 0 && (
        <section className="frame journey-section" aria-labelledby="steps-title">
          <h2 id="steps-title" className="title">{competition.stepsTitle}</h2>
          <StepList steps={steps} />
          {hasPortal && <p className="prose">You hand in your photos in the <SiteLink href="/artist-portal">Artist Portal</SiteLink>.</p>}
          {competition.liveNote !== "" && <p className="prose">{competition.liveNote}</p>}
        </section>
      )}
      <section className="frame" aria-label="Categories">
        <ul className="entry-cards">
          {competition.cards.map((card) => <CategoryCard key={card.label} {...card} enterLabel={competition.enterLabel} />)}
        </ul>
      </section>
      <Jury {...jury} />
      <Rubrics rubrics={rubrics} scale={scale} />
      {competition.prizes.length > 0 && (
        <section className="section frame two-columns" aria-labelledby="prizes-title">
          <h2 id="prizes-title">{competition.prizesTitle}</h2>
          <ul className="prizes">{competition.prizes.map((point) => <li key={point}>{point}</li>)}</ul>
        </section>
      )}
      <section className="section frame rules" id="rules" aria-labelledby="rules-title">
        <div className="section-head">
          <h2 id="rules-title">{competition.rulesTitle}</h2>
          <p className="lead">{competition.rulesIntroduction}</p>
        </div>
        {competition.rules.map(({ title, points }) => (
          <div key={title} className="rule">
            <h3>{title}</h3>
            <ul>{points.map((point) => <li key={point}>{point}</li>)}</ul>
          </div>
        ))}
      </section>
    </>
  );
}

function CategoryCard({ label, description, image, alt, art, award, enterLabel }: Competition["cards"][number] & { enterLabel: string }) {
  const [group, name] = label.split(" - ");
  return (
    <li className="entry-card">
      <Art picture={{ image, alt, art }} />
      <h2 className="title">{name && <span className="hidden-text">{group} - </span>}<Breakable text={name ?? label} /></h2>
      {name && <p className="entry-card-group" aria-hidden="true">{group}</p>}
      <p>{description}</p>
      {award !== "" && <p className="entry-card-award">Award: {award}</p>}
      <ActionLink look="plain" href={`/enter-competition?category=${encodeURIComponent(label)}`} aria-label={`${enterLabel}: ${label}`}>{enterLabel}</ActionLink>
    </li>
  );
}

type Data = ReturnType<typeof data>;

export function data({ content, site }: PageInput) {
  return { name: content.event.name, description: content.descriptions.competition, event: { dates: content.event.dates, city: content.event.city }, competition: content.competition, steps: stepsOf(content, site), jury: juryOf(content), hasPortal: content.portal.open, hasResults: site.results.categories.length > 0, rubrics: content.judging.rubrics.map((rubric) => ({ ...rubric, label: labelOf(content.categories, rubric) })), scale: content.judging.scale };
}

export function head({ name, competition, description }: Data): Head {
  return { title: `${competition.title} and Rules - ${name}`, description };
}

function labelOf(categories: Category[], { category, subCategory }: Rubric): string {
  const label = categories.find(({ slug }) => slug === category)?.label;
  return label === undefined || label === subCategory ? subCategory : `${label} - ${subCategory}`;
}
