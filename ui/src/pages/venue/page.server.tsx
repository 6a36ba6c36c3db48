import { Art } from "../../brand/art";
import { ArrowIcon } from "../../kit/icon";
import { Island } from "../../kit/island";
import { PageHead } from "../../kit/page-head";
import { Paragraphs } from "../../kit/paragraphs";
import { ActionLink, OutsideLink, WaitlistLink } from "../../kit/site-link";
import type { Item } from "../../lib/content-types";
import type { Head, PageInput } from "../../lib/page";
import { MapOnDemand } from "./map-on-demand";

export function View({ data: { venue, dates, hours } }: { data: Data }) {
  return (
    <>
      <PageHead eyebrow={venue.title} title={venue.name} lead={venue.introduction} art={<Art picture={{ image: venue.image, alt: venue.alt, art: "skyline" }} eager />}>
        <div className="buttons">
          <OutsideLink className="button button-primary" href={venue.map.searchUrl}>{venue.map.searchLabel}</OutsideLink>
          <WaitlistLink href={venue.waitlistLink.href}>{venue.waitlistLink.label}</WaitlistLink>
        </div>
      </PageHead>
      <dl className="fact-list frame">
        <div><dt>Address</dt><dd className="title">{venue.address.map((line) => <span key={line} className="line">{line}</span>)}</dd></div>
        <div><dt>Event hours</dt><dd className="title figures">{hours}<span className="line">{dates}</span></dd></div>
      </dl>
      <section className="section frame two-columns" aria-labelledby="overview-title">
        <h2 id="overview-title">Overview and <em>amenities</em></h2>
        <div>
          <div className="prose"><Paragraphs text={venue.overview} /></div>
          <ItemList items={venue.amenities} />
        </div>
      </section>
      <section className="section tint" aria-labelledby="spaces-title">
        <div className="frame">
          <h2 id="spaces-title">Event spaces</h2>
          <ItemList items={venue.spaces} grid />
          <ul className="gallery" aria-label="Gallery">
            {venue.gallery.map((picture) => (
              <li key={picture.title}><figure><Art picture={picture} fallback="lake" /><figcaption>{picture.title}</figcaption></figure></li>
            ))}
          </ul>
        </div>
      </section>
      <section className="section frame two-columns" aria-labelledby="way-title">
        <div>
          <h2 id="way-title">Getting here</h2>
          <Island name="map-on-demand" of={MapOnDemand} props={{ map: venue.map }} />
        </div>
        <div>
          <h3>Public transport</h3>
          <ItemList items={venue.transport} />
          <h3 className="spaced">{venue.parking.title}</h3>
          <p>{venue.parking.text}</p>
        </div>
      </section>
      <section className="section dark" aria-labelledby="hotels-title">
        <div className="frame">
          <h2 id="hotels-title">Recommended <em>hotels</em></h2>
          <ul className="hotels">
            {venue.hotels.map(({ name, text, minutesFrom, minutesTo, url }) => (
              <li key={name}>
                <p className="hotel-time figures">{minutesFrom}-{minutesTo} <span>minutes</span></p>
                <h3><OutsideLink href={url}>{name}</OutsideLink></h3>
                <p className="soft">{text}</p>
                <ArrowIcon />
              </li>
            ))}
          </ul>
        </div>
      </section>
      <section className="section frame" aria-labelledby="nearby-title">
        <h2 id="nearby-title">Nearby amenities</h2>
        <ItemList items={venue.nearby} grid />
        <div className="buttons spaced">
          <ActionLink href="/schedule" look="outline">View Full Schedule</ActionLink>
        </div>
      </section>
    </>
  );
}

function ItemList({ items, grid = false }: { items: Item[]; grid?: boolean }) {
  return (
    <dl className={grid ? "item-grid" : "item-list"}>
      {items.map(({ title, text }) => <div key={title}><dt className="title">{title}</dt><dd>{text}</dd></div>)}
    </dl>
  );
}

type Data = ReturnType<typeof data>;

export function data({ content }: PageInput) {
  const { event, venue, descriptions } = content;
  return { name: event.name, description: descriptions.venue, venue, dates: event.dates, hours: `${event.hours} ${event.timeZoneLabel}` };
}

export function head({ name, venue, description }: Data): Head {
  return { title: `${venue.title}: ${venue.name} - ${name}`, description };
}
