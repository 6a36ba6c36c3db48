import type { Head, PageInput } from "../api/page";

interface Data {
  event: string;
}

export function data({ content }: PageInput): Data {
  return { event: content.event.name };
}

export function head({ event }: Data): Head {
  return { title: `Competition categories and rules - ${event}`, description: `Competition categories and rules: ${event}.` };
}

export function View() {
  return <h1>Competition categories and rules</h1>;
}
