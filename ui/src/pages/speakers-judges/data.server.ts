import type { People } from "../../lib/content-types";
import type { Head, PageInput } from "../../lib/page";

export interface Data {
  name: string;
  description: string;
  people: People;
}

export function data({ content }: PageInput): Data {
  return { name: content.event.name, description: content.descriptions.speakersJudges, people: content.people };
}

export function head({ name, people, description }: Data): Head {
  return { title: `${people.title} - ${name}`, description };
}
