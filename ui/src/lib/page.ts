import type { ComponentType } from "react";
import type { Content } from "./content-types";

export const kinds = [
  "speaker-applications",
  "judge-applications",
  "sponsor-applications",
  "professional-demo-registrations",
  "competition-entries",
  "waitlist-signups",
  "sponsor-inquiries",
] as const;

export type Kind = (typeof kinds)[number];

export interface Opening {
  open: boolean;
  message: string | null;
}

/** What the server knows about itself; everything about the event is in the content. */
export interface SiteFacts {
  publicUrl: string;
  demo: boolean;
  /** Whether the pages tell the host what to do next: others can open the site, but it has no address yet and shows samples. */
  awaitsSetup?: boolean;
  /** In a demo: how far the server's clock is ahead of the machine's, in milliseconds. */
  clockOffset: number | null;
  /** The day for which the pages are rendered, in the event's time zone: "2026-03-28". */
  today: string;
  payments: "off" | "stripe" | "demo";
  stripePublishableKey: string | null;
  /** What an entry with one nomination costs today. */
  participantFeeCents: number;
  /** How and by when to send photos, as the emails say it. */
  submission: string;
  /** Whether that deadline has passed. */
  submissionIsOver: boolean;
  openings: Record<Kind, Opening>;
  /** The start and end of the event with their offset from UTC, for structured data. */
  startsAt: string;
  endsAt: string;
  /** Empty before anything is published. */
  results?: { categories: ResultCategory[] };
}

/** The places of a category whose results are published. */
export interface ResultCategory {
  label: string;
  rows: { place: number; name: string; businessName: string | null; points: string }[];
}

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
