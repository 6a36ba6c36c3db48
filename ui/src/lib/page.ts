import type { ComponentType } from "react";
import type { Kind, SiteFacts } from "./answer-types";
import type { Content } from "./content-types";

export const kinds = [
  "speaker-applications",
  "judge-applications",
  "sponsor-applications",
  "professional-demo-registrations",
  "competition-entries",
  "waitlist-signups",
  "sponsor-inquiries",
] as const satisfies Kind[];

/** What a page is rendered from. */
export interface PageInput {
  content: Content;
  site: SiteFacts;
}

export interface Head {
  title: string;
  description: string;
  noIndex?: boolean;
  structuredData?: unknown;
}

/** What shows a page. It is rendered on the server, from nothing but the data that the page's `data` picked for it. */
export interface PageModule {
  /** Settles when the code that the page loads later has been loaded, so that following a link shows the whole page at once. */
  ready?: () => Promise<void>;
  View: ComponentType<{ data: never }>;
  /** The page brings its own bar and `main`, instead of the site's navigation and footer, and the browser renders it. */
  ownFrame?: boolean;
}

/** What a page's `page.server.tsx` exports besides its `View`. It runs where a page is rendered and never reaches a browser. */
export interface PageData {
  /** Picks the slice of the content that the page needs. */
  data: (input: PageInput, path: string) => unknown;
  head: (data: never) => Head;
}
