import type { Head, PageInput } from "../../lib/page";

export * from "./view";

export interface Data {
  timeZone: string;
  name: string;
}

export function data({ content: { event } }: PageInput): Data {
  return { timeZone: event.timeZone, name: event.shortName };
}

export function head({ name }: Data): Head {
  return { title: `Door - ${name}`, description: "Volunteers let people in here.", noIndex: true };
}
