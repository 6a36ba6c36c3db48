import type { AnyPage } from "../lib/page";
import type { PageName } from "./routes";
import * as about from "../pages/about/page";
import * as applyJudge from "../pages/apply-judge/page";
import * as applyProfessionalDemo from "../pages/apply-professional-demo/page";
import * as applySpeaker from "../pages/apply-speaker/page";
import * as applySponsor from "../pages/apply-sponsor/page";
import * as competition from "../pages/competition/page";
import * as contact from "../pages/contact/page";
import * as enterCompetition from "../pages/enter-competition/page";
import * as exportData from "../pages/export-data/page";
import * as faq from "../pages/faq/page";
import * as home from "../pages/home/page";
import * as notFound from "../pages/not-found/page";
import * as privacy from "../pages/privacy/page";
import * as refundPolicy from "../pages/refund-policy/page";
import * as schedule from "../pages/schedule/page";
import * as speakersJudges from "../pages/speakers-judges/page";
import * as sponsors from "../pages/sponsors/page";
import * as terms from "../pages/terms/page";
import * as venue from "../pages/venue/page";

/** The server renders every page at once and at start, so it has them all in one bundle. */
export const allPages: Record<PageName, AnyPage> = {
  "home": home,
  "about": about,
  "competition": competition,
  "speakers-judges": speakersJudges,
  "sponsors": sponsors,
  "venue": venue,
  "schedule": schedule,
  "faq": faq,
  "apply-speaker": applySpeaker,
  "apply-judge": applyJudge,
  "apply-sponsor": applySponsor,
  "apply-professional-demo": applyProfessionalDemo,
  "enter-competition": enterCompetition,
  "export-data": exportData,
  "privacy": privacy,
  "terms": terms,
  "refund-policy": refundPolicy,
  "contact": contact,
  "not-found": notFound,
};
