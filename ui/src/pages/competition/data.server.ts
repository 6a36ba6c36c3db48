import type { Competition } from "../../lib/content-types";
import type { Head, PageInput } from "../../lib/page";
import { juryOf, type JuryContent } from "../shared/jury";
import { stepsOf, type DatedStep } from "../../entry/journey-steps";

export interface Data {
  name: string;
  description: string;
  event: { dates: string; city: string };
  competition: Competition;
  steps: DatedStep[];
  jury: JuryContent;
  /** Where competitors hand in their photos is open. */
  hasPortal: boolean;
}

export function data({ content, site }: PageInput): Data {
  return { name: content.event.name, description: content.descriptions.competition, event: { dates: content.event.dates, city: content.event.city }, competition: content.competition, steps: stepsOf(content, site.today), jury: juryOf(content), hasPortal: content.portal.open };
}

export function head({ name, competition, description }: Data): Head {
  return { title: `${competition.title} and Rules - ${name}`, description };
}
