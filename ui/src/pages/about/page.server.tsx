import type { Person, PastEdition } from "../../lib/content-types";
import { Divider } from "../../brand/divider";
import { Mark } from "../../brand/marks";
import { PageHead } from "../../kit/page-head";
import { ActionLink, OutsideLink } from "../../kit/site-link";
import type { Head, PageInput } from "../../lib/page";
import { Avatar } from "../shared/avatar";

export function View({ data: { about, facts, organiser, past } }: { data: Data }) {
  return (
    <>
      <PageHead title={about.title} lead={about.introduction} art={<Mark name="lash-lift" />} />
      <dl className="fact-list frame">
        {facts.map(({ label, value }) => <div key={label}><dt>{label}</dt><dd className="title">{value}</dd></div>)}
      </dl>
      <section className="section frame two-columns" aria-labelledby="expect-title">
        <h2 id="expect-title">{about.expectTitle}</h2>
        <div>
          <ol className="numbered">{about.expect.map((line) => <li key={line}>{line}</li>)}</ol>
          <ActionLink href={about.venueLink.href} look="outline">{about.venueLink.label}</ActionLink>
        </div>
      </section>
      <section className="section tint" aria-labelledby="organisers-title">
        <div className="frame">
          <h2 id="organisers-title">{about.organisersTitle}</h2>
          <ul className="people people-three">{about.organisers.map((person, index) => <OrganiserCard key={person.name} person={person} seed={index + 40} />)}</ul>
        </div>
      </section>
      <PastWinners past={past} />
      <section className="section blushed" aria-labelledby="organised-title">
        <div className="frame two-columns">
          <div>
            <Divider />
            <h2 id="organised-title">{about.organisedByTitle}</h2>
          </div>
          <div className="prose">
            <h3>{organiser.name}</h3>
            <p>{organiser.description}</p>
            <p>{about.organisedByText}</p>
            <p><OutsideLink href={organiser.website}>{organiser.websiteLabel}</OutsideLink></p>
          </div>
        </div>
      </section>
    </>
  );
}

function OrganiserCard({ person, seed }: { person: Person; seed: number }) {
  return (
    <li className="person">
      <Avatar image={person.image} name={person.name} seed={seed} />
      <h3>{person.name}</h3>
      <p className="person-role">{person.role}</p>
      <p>{person.bio}</p>
    </li>
  );
}

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

type Data = ReturnType<typeof data>;

export function data({ content }: PageInput) {
  const { event, venue, organiser, about, descriptions, after } = content;
  return {
    name: event.name,
    description: descriptions.about,
    about,
    facts: [
      { label: "Dates", value: event.dates },
      { label: `Hours, both days (${event.timeZoneLabel})`, value: event.hours },
      { label: "Venue", value: venue.name },
      { label: "City", value: `${event.city}, ${event.region}` },
      { label: "Taking part", value: event.selectedProfessionals },
    ],
    organiser: { name: organiser.name, description: organiser.description, website: organiser.website, websiteLabel: organiser.websiteLabel },
    past: after.past,
  };
}

export function head({ name, about, description }: Data): Head {
  return { title: `${about.title} - ${name}`, description };
}
