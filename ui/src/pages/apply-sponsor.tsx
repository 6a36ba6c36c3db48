import type { Head, PageInput } from "../api/page";

interface Data {
  event: string;
}

export function data({ content }: PageInput): Data {
  return { event: content.event.name };
}

export function head({ event }: Data): Head {
  return { title: `Sponsor Application - ${event}`, description: `Sponsor Application: ${event}.` };
}

export function View() {
  return <h1>Sponsor Application</h1>;
}
