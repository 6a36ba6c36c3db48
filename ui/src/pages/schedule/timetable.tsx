import type { ScheduleDay, ScheduleItem, People, Profile } from "../../lib/content-types";
import { clockTime, longDay } from "../../lib/dates";
import { SiteLink } from "../../kit/site-link";
import { personAnchor } from "../shared/avatar";

const kinds: Record<ScheduleItem["kind"], string> = {
  arrival: "Arrival",
  talk: "Talk",
  panel: "Education",
  demo: "Live demo",
  competition: "Competition",
  break: "Break",
  award: "Awards",
  evening: "Evening",
};

export function Timetable({ day, speakers, evening }: { day: ScheduleDay; speakers: Speakers; evening: boolean }) {
  const id = `day-${day.date}`;
  return (
    <section className={evening ? "section dark timetable" : "section tint timetable"} aria-labelledby={id}>
      <div className="frame timetable-grid">
        <div className="timetable-head">
          <p className="eyebrow">{day.label}</p>
          <h2 id={id}>{day.theme}</h2>
          <p className="lead">{longDay(day.date)}</p>
          {day.allDay.length > 0 && (
            <>
              <p className="timetable-all">All day</p>
              <ul className="soft">{day.allDay.map((line) => <li key={line}>{line}</li>)}</ul>
            </>
          )}
        </div>
        <ol className="slots">
          {day.items.map((item) => (
            <li key={item.start + item.title} className={`slot slot-${item.kind}`}>
              <p className="slot-time figures"><time>{clockTime(item.start)}</time><span className="soft"> - <time>{clockTime(item.end)}</time></span></p>
              <div>
                <h3>{item.title}</h3>
                <Speaker id={item.speaker} speakers={speakers} />
                <p className="soft">{item.text}</p>
              </div>
              <p className="slot-kind">{kinds[item.kind]}</p>
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}

function Speaker({ id, speakers }: { id: string; speakers: Speakers }) {
  const speaker = speakers[id];
  if (!speaker) return null;
  return <p><SiteLink href={`/speakers-judges#${personAnchor(id)}`}>{speaker.name}</SiteLink>, {speaker.role}</p>;
}

export type Speakers = Record<string, Pick<Profile, "name" | "role">>;

/** The people whom a line of the schedule may name, by key. A place that is not filled yet names nobody. */
export function speakersOf({ groups }: People): Speakers {
  const profiles = groups.flatMap((group) => group.profiles).filter(({ key, comingSoon }) => key && !comingSoon);
  return Object.fromEntries(profiles.map(({ key, name, role }) => [key, { name, role }]));
}
