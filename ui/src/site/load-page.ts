import type { AnyPage } from "../api/page";
import type { PageName } from "./routes";

/** Each page is a chunk of its own, fetched when somebody goes there. */
const loaders: Record<PageName, () => Promise<AnyPage>> = {
  "home": () => import("../pages/home"),
  "about": () => import("../pages/about"),
  "competition": () => import("../pages/competition"),
  "speakers-judges": () => import("../pages/speakers-judges"),
  "sponsors": () => import("../pages/sponsors"),
  "venue": () => import("../pages/venue"),
  "schedule": () => import("../pages/schedule"),
  "faq": () => import("../pages/faq"),
  "apply-speaker": () => import("../pages/apply-speaker"),
  "apply-judge": () => import("../pages/apply-judge"),
  "apply-sponsor": () => import("../pages/apply-sponsor"),
  "apply-professional-demo": () => import("../pages/apply-professional-demo"),
  "enter-competition": () => import("../pages/enter-competition"),
  "export-data": () => import("../pages/export-data"),
  "privacy": () => import("../pages/privacy"),
  "terms": () => import("../pages/terms"),
  "refund-policy": () => import("../pages/refund-policy"),
  "contact": () => import("../pages/contact"),
  "not-found": () => import("../pages/not-found"),
};

export function loadPage(page: PageName): Promise<AnyPage> {
  return loaders[page]();
}
