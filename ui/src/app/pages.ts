import { kinds, type Kind, type PageModule } from "../lib/page";
import { adminSections } from "./admin-sections";

export type Policy = "site" | "entry" | "organiser";

interface PageEntry {
  path: string;
  /** The content policy of its document; "site" if absent. A link to another policy loads a new document. */
  policy?: Policy;
  /** Names below `path` that show the same page. */
  sections?: readonly string[];
  /** The menu that links to it, in the order of this table. */
  menu?: "main" | "forms" | "legal";
  /** What the menu calls it. */
  label?: string;
  /** The form that it leads to; when the organiser has closed it, its link says so. */
  form?: Kind;
  /** Its code, a chunk of its own. What only the server needs is beside it in `data.server.ts`. */
  load: () => Promise<PageModule>;
}

/** Every page of the site, by the name of its folder in `pages/`. */
const pages = {
  "home": { path: "/", menu: "main", label: "Home", load: () => import("../pages/home/page") },
  "about": { path: "/about", menu: "main", label: "About", load: () => import("../pages/about/page") },
  "competition": { path: "/competition", menu: "main", label: "Competition", load: () => import("../pages/competition/page") },
  "speakers-judges": { path: "/speakers-judges", menu: "main", label: "Speakers & Judges", load: () => import("../pages/speakers-judges/page") },
  "sponsors": { path: "/sponsors", menu: "main", label: "Sponsors", load: () => import("../pages/sponsors/page") },
  "venue": { path: "/venue", menu: "main", label: "Venue", load: () => import("../pages/venue/page") },
  "schedule": { path: "/schedule", menu: "main", label: "Schedule", load: () => import("../pages/schedule/page") },
  "faq": { path: "/faq", menu: "main", label: "FAQ", load: () => import("../pages/faq/page") },
  "apply-speaker": { path: "/apply-speaker", menu: "forms", label: "Apply as Speaker", form: "speaker-applications", load: () => import("../pages/apply-speaker/page") },
  "apply-judge": { path: "/apply-judge", menu: "forms", label: "Apply as Judge", form: "judge-applications", load: () => import("../pages/apply-judge/page") },
  "apply-sponsor": { path: "/apply-sponsor", menu: "forms", label: "Apply as Sponsor", form: "sponsor-applications", load: () => import("../pages/apply-sponsor/page") },
  "apply-professional-demo": { path: "/apply-professional-demo", menu: "forms", label: "Professional Demo", form: "professional-demo-registrations", load: () => import("../pages/apply-professional-demo/page") },
  "enter-competition": { path: "/enter-competition", policy: "entry", menu: "forms", label: "Enter Competition", form: "competition-entries", load: () => import("../pages/enter-competition/page") },
  "export-data": { path: "/export-data", policy: "organiser", sections: [...kinds, ...adminSections], load: () => import("../pages/export-data/page") },
  "privacy": { path: "/privacy", menu: "legal", label: "Privacy Policy", load: () => import("../pages/privacy/page") },
  "terms": { path: "/terms", menu: "legal", label: "Terms of Service", load: () => import("../pages/terms/page") },
  "refund-policy": { path: "/refund-policy", menu: "legal", label: "Refund Policy", load: () => import("../pages/refund-policy/page") },
  "contact": { path: "/contact", menu: "legal", label: "Contact", load: () => import("../pages/contact/page") },
  "not-found": { path: "/404", load: () => import("../pages/not-found/page") },
} satisfies Record<string, PageEntry>;

export type PageName = keyof typeof pages;

export interface Route {
  path: string;
  page: PageName;
  policy: Policy;
}

const entries = Object.entries(pages) as [PageName, PageEntry][];

export const routes: readonly Route[] = entries.flatMap(([page, { path, policy = "site", sections = [] }]) =>
  [path, ...sections.map((section) => `${path}/${section}`)].map((address) => ({ path: address, page, policy })));

export function findRoute(path: string): Route | undefined {
  const plain = path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
  return routes.find((route) => route.path === plain && route.page !== "not-found");
}

export function loadPage(page: PageName): Promise<PageModule> {
  return pages[page].load();
}

export interface NavigationLink {
  href: string;
  label: string;
  form?: Kind;
}

const linksOf = (wanted: PageEntry["menu"]): readonly NavigationLink[] =>
  entries.filter(([, { menu }]) => menu === wanted).map(([, { path, label = "", form }]) => ({ href: path, label, form }));

export const mainLinks = linksOf("main");
export const formLinks = linksOf("forms");
export const legalLinks = linksOf("legal");
