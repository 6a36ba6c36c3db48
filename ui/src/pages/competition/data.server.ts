import { stepsOf, type DatedStep } from "../../entry/journey";
import type { Category, Competition, Judging, Rubric } from "../../lib/content-types";
import type { Head, PageInput } from "../../lib/page";
import { juryOf, type JuryContent } from "../shared/jury";
import type { NamedRubric } from "./rubrics";

export interface Data {
  name: string;
  description: string;
  event: { dates: string; city: string };
  competition: Competition;
  steps: DatedStep[];
  jury: JuryContent;
  /** Where competitors hand in their photos is open. */
  hasPortal: boolean;
  hasResults: boolean;
  rubrics: NamedRubric[];
  scale: Judging["scale"];
}

export function data({ content, site }: PageInput): Data {
  return { name: content.event.name, description: content.descriptions.competition, event: { dates: content.event.dates, city: content.event.city }, competition: content.competition, steps: stepsOf(content, site), jury: juryOf(content), hasPortal: content.portal.open, hasResults: (site.results?.categories.length ?? 0) > 0, rubrics: content.judging.rubrics.map((rubric) => ({ ...rubric, label: labelOf(content.categories, rubric) })), scale: content.judging.scale };
}

export function head({ name, competition, description }: Data): Head {
  return { title: `${competition.title} and Rules - ${name}`, description };
}

function labelOf(categories: Category[], { category, subCategory }: Rubric): string {
  const label = categories.find(({ slug }) => slug === category)?.label;
  return label === undefined || label === subCategory ? subCategory : `${label} - ${subCategory}`;
}
