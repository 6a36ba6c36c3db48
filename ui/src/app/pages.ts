import type { Kind } from "../lib/answer-types";
import type { PageModule } from "../lib/page";

export type Policy = "site" | "entry" | "door" | "organiser";

interface PageEntry {
  /** Its address; `/` and its name if absent. */
  path?: string;
  /** The content policy of its document; "site" if absent. A link to another policy loads a new document. */
  policy?: Policy;
  /** Addresses below `path` show the same page; `routes.ts` has them. */
  hasSections?: boolean;
  /** The menu that links to it, in the order of this table. The footer links to the legal pages. */
  menu?: "main" | "forms";
  /** Its label in the menu. */
  label?: string;
  /** The form that it leads to; when the organiser has closed it, its link says so. */
  form?: Kind;
  /** The code of a page that the browser renders itself, with a frame of its own. The server renders all others. */
  load?: () => Promise<PageModule>;
}

/** Every page of the site, by the name of its folder in `pages/`. */
const pages = {
  "home": { path: "/", menu: "main", label: "Home" },
  "about": { menu: "main", label: "About" },
  "competition": { menu: "main", label: "Competition" },
  "speakers-judges": { menu: "main", label: "Speakers & Judges" },
  "sponsors": { menu: "main", label: "Sponsors" },
  "venue": { menu: "main", label: "Venue" },
  "schedule": { menu: "main", label: "Schedule" },
  "faq": { menu: "main", label: "FAQ" },
  "apply-speaker": { menu: "forms", label: "Apply as Speaker", form: "speaker-applications" },
  "apply-judge": { menu: "forms", label: "Apply as Judge", form: "judge-applications" },
  "apply-sponsor": { menu: "forms", label: "Apply as Sponsor", form: "sponsor-applications" },
  "apply-professional-demo": { menu: "forms", label: "Professional Demo", form: "professional-demo-registrations" },
  "enter-competition": { policy: "entry", menu: "forms", label: "Enter Competition", form: "competition-entries" },
  "artist-portal": {},
  "release": {},
  "export-data": { policy: "organiser", hasSections: true, load: () => import("../pages/export-data/view") },
  "door": { policy: "door", load: () => import("../pages/door/view") },
  "privacy": {},
  "terms": {},
  "refund-policy": {},
  "contact": {},
  "not-found": { path: "/404" },
  "score-sheet": {},
  "judge": {},
  "results": {},
} satisfies Record<string, PageEntry>;

export type PageName = keyof typeof pages;

export interface Route {
  path: string;
  page: PageName;
  policy: Policy;
}

export const entries = Object.entries<PageEntry>(pages).map(([name, page]) => [name as PageName, { path: `/${name}`, ...page }] as const);

/** The page at an address. Only the server knows which addresses below a page with sections there are. */
export function findRoute(path: string): Route | undefined {
  const plain = path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
  const found = entries.find(([, page]) => page.path === plain || (page.hasSections && plain.startsWith(`${page.path}/`)));
  return found && found[0] !== "not-found" ? { path: plain, page: found[0], policy: found[1].policy ?? "site" } : undefined;
}

export async function loadModule(page: PageName): Promise<PageModule | undefined> {
  return entries.find(([name]) => name === page)?.[1].load?.();
}

/** The addresses of the forms that the organiser has closed. */
export function closedPaths(isOpen: (form: Kind) => boolean): string[] {
  return entries.filter(([, { form }]) => form !== undefined && !isOpen(form)).map(([, { path }]) => path);
}

export interface NavigationLink {
  href: string;
  label: string;
}

const linksOf = (wanted: PageEntry["menu"]): readonly NavigationLink[] =>
  entries.filter(([, { menu }]) => menu === wanted).map(([, { path, label = "" }]) => ({ href: path, label }));

export const mainLinks = linksOf("main");
export const formLinks = linksOf("forms");
