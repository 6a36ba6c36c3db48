import type { Schedule } from "../../lib/content-types";
import type { Head, PageInput } from "../../lib/page";
import { speakersOf, type Speakers } from "./timetable";

export interface Data {
  name: string;
  description: string;
  schedule: Schedule;
  dates: string;
  /** By key, those whom a line names. */
  speakers: Speakers;
}

export function data({ content }: PageInput): Data {
  return { name: content.event.name, description: content.descriptions.schedule, schedule: content.schedule, dates: content.event.dates, speakers: speakersOf(content.people) };
}

export function head({ name, schedule, description }: Data): Head {
  return { title: `${schedule.title} - ${name}`, description };
}
