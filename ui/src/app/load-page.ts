import type { AnyPage } from "../lib/page";
import type { PageName } from "./routes";

/** Each page is a chunk of its own, fetched when somebody goes there. */
const loaders: Record<PageName, () => Promise<AnyPage>> = {
  "home": () => import("../pages/home/page"),
  "about": () => import("../pages/about/page"),
  "competition": () => import("../pages/competition/page"),
  "speakers-judges": () => import("../pages/speakers-judges/page"),
  "sponsors": () => import("../pages/sponsors/page"),
  "venue": () => import("../pages/venue/page"),
  "schedule": () => import("../pages/schedule/page"),
  "faq": () => import("../pages/faq/page"),
  "apply-speaker": () => import("../pages/apply-speaker/page"),
  "apply-judge": () => import("../pages/apply-judge/page"),
  "apply-sponsor": () => import("../pages/apply-sponsor/page"),
  "apply-professional-demo": () => import("../pages/apply-professional-demo/page"),
  "enter-competition": () => import("../pages/enter-competition/page"),
  "export-data": () => import("../pages/export-data/page"),
  "privacy": () => import("../pages/privacy/page"),
  "terms": () => import("../pages/terms/page"),
  "refund-policy": () => import("../pages/refund-policy/page"),
  "contact": () => import("../pages/contact/page"),
  "not-found": () => import("../pages/not-found/page"),
};

export function loadPage(page: PageName): Promise<AnyPage> {
  return loaders[page]();
}
