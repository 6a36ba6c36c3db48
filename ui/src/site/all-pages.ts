import type { AnyPage } from "../api/page";
import type { PageName } from "./routes";
import * as about from "../pages/about";
import * as applyJudge from "../pages/apply-judge";
import * as applyProfessionalDemo from "../pages/apply-professional-demo";
import * as applySpeaker from "../pages/apply-speaker";
import * as applySponsor from "../pages/apply-sponsor";
import * as competition from "../pages/competition";
import * as contact from "../pages/contact";
import * as enterCompetition from "../pages/enter-competition";
import * as exportData from "../pages/export-data";
import * as faq from "../pages/faq";
import * as home from "../pages/home";
import * as notFound from "../pages/not-found";
import * as privacy from "../pages/privacy";
import * as refundPolicy from "../pages/refund-policy";
import * as schedule from "../pages/schedule";
import * as speakersJudges from "../pages/speakers-judges";
import * as sponsors from "../pages/sponsors";
import * as terms from "../pages/terms";
import * as venue from "../pages/venue";

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
