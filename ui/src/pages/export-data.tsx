import type { Head, PageInput } from "../api/page";

interface Data {
  event: string;
}

export function data({ content }: PageInput): Data {
  return { event: content.event.name };
}

export function head({ event }: Data): Head {
  return { title: `Registrations - ${event}`, description: `Registrations: ${event}.`, noIndex: true };
}

export function View() {
  return <h1>Registrations</h1>;
}
