import type { SiteFacts } from "../lib/answer-types";
import type { Category, CompetitionCard, EntryPage, Item, Pricing } from "../lib/content-types";
import type { Head, PageInput } from "../lib/page";
import { documentOf, type LegalDocument } from "../forms/form-place";
import { lashDrawing, type LashDrawing } from "../brand/lashes";
import { askedFields } from "../forms/fields/section-progress";
import { formOf } from "../forms/rules/form-table";
import type { FormRule } from "../forms/rules/form-rules";
import { versionDate } from "../lib/dates";
import { stepsOf, type DatedStep } from "./journey";

/** The slice of the content that the entry page needs. */
export interface EntryData {
  form: FormRule;
  /** The drawing that shows how far the form is filled in. */
  drawing: LashDrawing;
  name: string;
  event: { dates: string; city: string };
  description: string;
  text: EntryPage;
  categories: Category[];
  /** The number of categories as text, such as "Four categories, eight subcategories". */
  counted: string;
  /** The categories that `?category=` may name. */
  cards: Pick<CompetitionCard, "label" | "category" | "subcategory" | "art">[];
  pricing: Pricing;
  /** Today's fee, in cents. */
  feeCents: number;
  /** The last day of the priority fee, as text, and the regular fee; null after that day. */
  priority: { until: string; regularCents: number } | null;
  /** The texts about one and about two additional categories. */
  addOns: Item[];
  /** For each consent field's name, the document that it refers to. */
  documents: Record<string, LegalDocument>;
  email: string;
  /** For somebody who has paid. */
  next: { steps: DatedStep[]; note: string; hasPortal: boolean };
  hours: string;
  venue: { name: string; address: string[]; mapUrl: string; mapLabel: string };
  calendarLabel: string;
  payments: SiteFacts["payments"];
  publishableKey: string;
  /** Why no entries are accepted at the moment; null if they are. */
  closed: string | null;
  /** The same for somebody whose invitation opens the form. */
  closedToInvited: string | null;
}

export function entryData({ content, site }: PageInput): EntryData {
  const { event, descriptions, apply, categories, competition, pricing, pass, legal, contact, venue } = content;
  const form = formOf("competition-entries");
  const opening = site.openings["competition-entries"];
  const withoutPayment = site.payments === "off" ? apply.entry.paymentClosed : null;
  return {
    form,
    drawing: lashDrawing(askedFields(form, {}).length),
    name: event.name,
    event: { dates: event.dates, city: event.city },
    description: descriptions.enterCompetition,
    text: apply.entry,
    categories,
    counted: countOf(categories),
    cards: competition.cards.map(({ label, category, subcategory, art }) => ({ label, category, subcategory, art })),
    pricing,
    feeCents: site.participantFeeCents,
    priority: site.participantFeeCents < pricing.regularFeeCents && site.today <= pricing.priorityDeadline ? { until: versionDate(pricing.priorityDeadline), regularCents: pricing.regularFeeCents } : null,
    addOns: pass.addOns,
    documents: { agreementTerms: documentOf(legal.competitionTerms), agreementMedia: documentOf(legal.photographyRelease) },
    email: contact.email,
    next: { steps: stepsOf(content, site), note: site.submission, hasPortal: content.portal.open },
    hours: `${event.hours} ${event.timeZoneLabel}`,
    venue: { name: venue.name, address: venue.address, mapUrl: venue.map.searchUrl, mapLabel: venue.map.searchLabel },
    calendarLabel: content.schedule.calendarLabel,
    payments: site.payments,
    publishableKey: site.stripePublishableKey ?? "",
    closed: opening.open ? withoutPayment : opening.message ?? "The competition takes no entries at the moment.",
    closedToInvited: withoutPayment,
  };
}

export function entryHead({ name, text, description }: EntryData): Head {
  return { title: `${text.title} - ${name}`, description };
}

const numbers = ["No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Eleven", "Twelve"];

function countOf(categories: Category[]): string {
  const withLabels = (count: number) => numbers[count] ?? String(count);
  const subcategories = categories.reduce((sum, category) => sum + category.subcategories.length, 0);
  return `${withLabels(categories.length)} categories, ${withLabels(subcategories).toLowerCase()} subcategories`;
}
