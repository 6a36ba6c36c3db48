import type { Head, PageInput } from "../api/page";

interface Data {
  event: string;
}

export function data({ content }: PageInput): Data {
  return { event: content.event.name };
}

export function head({ event }: Data): Head {
  return { title: `Refund Policy - ${event}`, description: `Refund Policy: ${event}.` };
}

export function View() {
  return <h1>Refund Policy</h1>;
}
