import { Art } from "../../brand/art";
import { Island } from "../../kit/island";
import { PageHead } from "../../kit/page-head";
import type { Head, PageInput } from "../../lib/page";
import { PrintButton } from "./print-button";
import { Timetable, speakersOf } from "./timetable";

export function View({ data: { schedule, dates, speakers } }: { data: Data }) {
  const { awards, notes } = schedule;
  return (
    <>
      <PageHead eyebrow={dates} title={schedule.title} lead={schedule.introduction} art={<Art picture={{ image: "", alt: "", art: "hours" }} eager />}>
        <div className="buttons no-print">
          <a className="button button-primary" href="/event.ics">{schedule.calendarLabel}</a>
          <Island name="print-button" of={PrintButton} props={{ label: schedule.printLabel }} />
        </div>
      </PageHead>
      {schedule.days.map((day, index) => <Timetable key={day.date} day={day} speakers={speakers} evening={index > 0} />)}
      <section className="section frame two-columns" aria-labelledby="notes-title">
        <div>
          <h2 id="notes-title">{notes.title}</h2>
        </div>
        <ol className="numbered">{notes.points.map((point) => <li key={point}>{point}</li>)}</ol>
      </section>
      <section className="frame award-names" aria-labelledby="awards-title">
        <h2 id="awards-title" className="title">{awards.title}</h2>
        <ul>{awards.names.map((name) => <li key={name}>{name}</li>)}</ul>
      </section>
    </>
  );
}

type Data = ReturnType<typeof data>;

export function data({ content }: PageInput) {
  return { name: content.event.name, description: content.descriptions.schedule, schedule: content.schedule, dates: content.event.dates, speakers: speakersOf(content.people) };
}

export function head({ name, schedule, description }: Data): Head {
  return { title: `${schedule.title} - ${name}`, description };
}
