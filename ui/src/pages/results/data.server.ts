import type { Head, PageInput, ResultCategory } from "../../lib/page";

export interface Data {
  name: string;
  dates: string;
  city: string;
  categories: ResultCategory[];
}

export function data({ content: { event }, site }: PageInput): Data {
  return { name: event.name, dates: event.dates, city: event.city, categories: site.results?.categories ?? [] };
}

export function head({ name }: Data): Head {
  return { title: `Results - ${name}`, description: `Championship placings and points at the ${name}.` };
}
