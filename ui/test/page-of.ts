import type { ComponentType } from "react";
import type { PageName } from "../src/app/pages";
import type { Head, PageInput } from "../src/lib/page";

interface Page {
  View: ComponentType<{ data: unknown }>;
  data: (input: PageInput, path?: string) => unknown;
  head: (data: unknown) => Head;
}

/** A page as the server has it: its component, and its data and head. */
export async function pageOf(name: PageName): Promise<Page> {
  return await import(`../src/pages/${name}/page.server.tsx`) as Page;
}
