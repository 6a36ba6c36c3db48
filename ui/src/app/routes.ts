import { kinds } from "../lib/page";
import { deskRooms } from "./admin-sections";

export type Policy = "site" | "entry" | "organiser";

export interface Route {
  path: string;
  /** The name of the page's file in `pages/`. */
  page: PageName;
  policy: Policy;
}

const pages = {
  "home": "/",
  "about": "/about",
  "competition": "/competition",
  "speakers-judges": "/speakers-judges",
  "sponsors": "/sponsors",
  "venue": "/venue",
  "schedule": "/schedule",
  "faq": "/faq",
  "apply-speaker": "/apply-speaker",
  "apply-judge": "/apply-judge",
  "apply-sponsor": "/apply-sponsor",
  "apply-professional-demo": "/apply-professional-demo",
  "enter-competition": "/enter-competition",
  "export-data": "/export-data",
  "privacy": "/privacy",
  "terms": "/terms",
  "refund-policy": "/refund-policy",
  "contact": "/contact",
  "not-found": "/404",
} as const;

export type PageName = keyof typeof pages;

const policies: Partial<Record<PageName, Policy>> = {
  "enter-competition": "entry",
  "export-data": "organiser",
};

const route = (page: PageName, path: string): Route => ({ path, page, policy: policies[page] ?? "site" });

export const routes: readonly Route[] = [
  ...(Object.keys(pages) as PageName[]).map((page) => route(page, pages[page])),
  // The organiser's rooms are one page, which shows itself differently at each address.
  ...[...kinds, ...deskRooms].map((room) => route("export-data", `${pages["export-data"]}/${room}`)),
];

export function findRoute(path: string): Route | undefined {
  const plain = path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
  return routes.find((route) => route.path === plain && route.page !== "not-found");
}
