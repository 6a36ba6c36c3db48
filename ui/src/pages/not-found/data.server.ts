import type { Head, PageInput } from "../../lib/page";

export interface Data {
  name: string;
}

export function data({ content }: PageInput): Data {
  return { name: content.event.name };
}

export function head({ name }: Data): Head {
  return { title: `404 Page Not Found - ${name}`, description: "There is no page at this address." };
}
