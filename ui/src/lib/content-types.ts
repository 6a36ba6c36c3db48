/**
 * The event's content as the server gives it: `src/site/content/event.toml`, checked, with camelCase keys.
 * Every key is always there; an empty text ("") or an empty list means "none".
 * Texts are plain: a blank line (`\n\n`) starts a new paragraph, markup is shown as it was typed.
 * Days are "2026-03-28", times "09:30" in the event's own time zone, money is whole cents.
 */
export interface Content {
  phase: "before" | "after";
  event: EventFacts;
  organiser: Organiser;
  contact: Contact;
  chat: Chat;
  socialLinks: SocialLink[];
  descriptions: Descriptions;
  home: Home;
  pass: Pass;
  about: About;
  categories: Category[];
  competition: Competition;
  portal: Portal;
  door: Door;
  judging: Judging;
  people: People;
  sponsors: Sponsors;
  venue: Venue;
  schedule: Schedule;
  faq: Faq;
  apply: Apply;
  legal: Legal;
  pricing: Pricing;
  /** By kind; a missing kind is open. Whether a form is open now is in `site.openings` of the page input. */
  openings: Record<string, OpeningRule>;
  mail: Mail;
  after: After;
}

export interface Link {
  label: string;
  /** "/path" on this site, "https://...", or "mailto:...". */
  href: string;
}

/** A heading with its paragraph or paragraphs. */
export interface Item {
  title: string;
  text: string;
}

export interface EventFacts {
  name: string;
  shortName: string;
  tagline: string;
  summary: string;
  /** As people read them; `firstDay` and `lastDay` are for computing. */
  dates: string;
  firstDay: string;
  lastDay: string;
  opens: string;
  closes: string;
  hours: string;
  timeZone: string;
  timeZoneLabel: string;
  city: string;
  region: string;
  selectedProfessionals: string;
  expectedProfessionals: string;
  arenaStations: string;
  vendorBooths: string;
  days: EventDay[];
  /** The date on which `serve --demo` shows the site. */
  demoDay: string | null;
}

export interface EventDay {
  label: string;
  date: string;
  theme: string;
  points: string[];
}

export interface Organiser {
  sample: boolean;
  name: string;
  legalName: string;
  description: string;
  /** Lines. */
  address: string[];
  website: string;
  websiteLabel: string;
}

export interface Contact {
  sample: boolean;
  email: string;
  partnershipEmail: string;
  phone: string;
  heading: string;
  introduction: string;
}

export interface Chat {
  sample: boolean;
  /** Digits with the country code; "" when there is no chat. */
  number: string;
  prefilledText: string;
  tooltip: string;
}

export interface SocialLink {
  sample: boolean;
  label: string;
  url: string;
}

/** Descriptions for search engines and link previews, by page. */
export interface Descriptions {
  home: string;
  about: string;
  competition: string;
  speakersJudges: string;
  sponsors: string;
  venue: string;
  schedule: string;
  faq: string;
  applySpeaker: string;
  applyJudge: string;
  applySponsor: string;
  applyProfessionalDemo: string;
  enterCompetition: string;
  privacy: string;
  terms: string;
  refundPolicy: string;
  contact: string;
}

export interface Home {
  hero: Hero;
  /** Exactly three. */
  cards: Card[];
  sponsorsCard: Card;
  carousel: Carousel;
  slideshow: Slideshow;
  recognition: Recognition;
  quote: Quote | null;
  closing: Closing;
  waitlist: Waitlist;
}

/** An uploaded picture in its sizes; "" if none is chosen, and then a drawing takes its place. */
export type Image = "" | Sizes;

export interface Sizes {
  srcSet: string;
  src: string;
  /** Width and height of the largest size, in pixels. */
  width: number;
  height: number;
  /** The alternative text; a page may override it. */
  alt?: string;
  /** The focal point in quarters, such as "25-75"; absent for the centre. */
  "data-focus"?: string;
}

export interface Hero {
  introduction: string;
  image: Image;
  alt: string;
  buttons: Link[];
  scheduleButton: Link;
}

export interface Card {
  title: string;
  text: string;
  link: Link;
}

export interface Carousel {
  title: string;
  introduction: string;
  button: Link;
  items: CarouselItem[];
}

export interface CarouselItem {
  id: string;
  title: string;
  description: string;
  /** If "", the drawing `art` is shown. */
  image: Image;
  alt: string;
  art: string;
}

export interface Slideshow {
  title: string;
  introduction: string;
  slides: Slide[];
}

export interface Slide extends CarouselItem {
  category: string;
}

export interface Recognition {
  title: string;
  text: string;
  points: string[];
  /** A photo of the ceremony; without one nothing is shown. */
  image: Image;
  alt: string;
}

export interface Quote {
  text: string;
  name: string;
  role: string;
}

export interface Closing {
  title: string;
  text: string;
  buttons: Link[];
}

export interface Waitlist {
  title: string;
  text: string;
  buttonLabel: string;
  successTitle: string;
  successText: string;
}

/** The pass offer; its price is `pricing.participantFeeCents`, its original price `pricing.regularFeeCents`. */
export interface Pass {
  name: string;
  badge: string;
  priceNote: string;
  /** Replaces the price note after the priority deadline; "" for none. */
  priceNoteAfter: string;
  description: string;
  /** The page appends the price: " - $449". */
  buttonText: string;
  /** Replaces `buttonText` while entries are closed. */
  waitlistButtonText: string;
  addOnsOffered: boolean;
  frontRowPlaces: number;
  features: Feature[];
  frontRowNote: string;
  /** The first is for one additional category, the second for two. */
  addOns: Item[];
}

export interface Feature {
  text: string;
  included: boolean;
}

export interface About {
  title: string;
  introduction: string;
  expectTitle: string;
  expect: string[];
  venueLink: Link;
  organisersTitle: string;
  organisers: Person[];
  organisedByTitle: string;
  organisedByText: string;
}

export interface Person {
  sample: boolean;
  name: string;
  role: string;
  bio: string;
  image: Image;
}

export interface Category {
  slug: string;
  label: string;
  subcategories: string[];
  description: string;
}

export interface Competition {
  title: string;
  introduction: string;
  enterLabel: string;
  waitlistLink: Link;
  rulesTitle: string;
  rulesIntroduction: string;
  stepsTitle: string;
  steps: Step[];
  /** Whether competitors compete live; "" if that is not decided yet. */
  liveNote: string;
  submission: Submission;
  prizesTitle: string;
  /** Empty if the prizes are not decided yet. */
  prizes: string[];
  juryTitle: string;
  juryIntroduction: string;
  cards: CompetitionCard[];
  rules: RuleGroup[];
}

/** A step from the entry to the awards. Without `when`, `fact` says where its date comes from. */
export interface Step {
  title: string;
  text: string;
  when: string;
  fact: "deadline" | "awards" | null;
}

/** How and when photos are handed in. Dates are "2026-03-01" or "2026-03-01 23:59". */
export interface Submission {
  how: string;
  from: string | null;
  deadline: string | null;
  announcedBy: string | null;
}

/** The Artist Portal, where competitors hand in their photos. */
export interface Portal {
  sample: boolean;
  open: boolean;
  /** "2026-03-01" or "2026-03-01 23:59". */
  deadline: string | null;
  video: boolean;
  slots: PortalSlot[];
  ticks: { key: string; label: string }[];
  release: { version: string; text: string };
}

/** The event's door. */
export interface Door {
  /** How many days before the event tickets are emailed. */
  ticketsBeforeDays: number[];
  /** By role. */
  bring: Record<string, string>;
  /** `day` is a date. */
  lists: { key: string; label: string; day: string; roles: string[] }[];
}

export interface PortalSlot {
  /** A category's slug. */
  category: string;
  /** "" for every subcategory of the category. */
  subCategory: string;
  key: string;
  label: string;
  hint: string;
  required: boolean;
  /** Minimum pixels of the longer side; 0 for no minimum. */
  minPixels: number;
}

/** How entries are judged. Without rubrics there is no judging. */
export interface Judging {
  terms: { version: string; text: string };
  /** What each score out of ten means, highest first. */
  scale: { points: string; text: string }[];
  rubrics: Rubric[];
}

export interface Rubric {
  /** A category's slug. */
  category: string;
  subCategory: string;
  /** 0.5 or 1. */
  step: number;
  minimumForPlaces: number;
  /** If null, nobody is placed when there are fewer than `minimumForPlaces` nominations. */
  thresholdPercent: number | null;
  secondLookPoints: number;
  penaltyCap: number;
  tieOrder: string[];
  criteria: { key: string; label: string; fullMarks: string; max: number }[];
  penalties: { key: string; label: string; max: number }[];
}

export interface CompetitionCard {
  /** Also the value of `?category=` on the entry page. */
  label: string;
  category: string;
  subcategory: string;
  description: string;
  art: string;
  /** A photo of work in this category; replaces `art`. */
  image: Image;
  alt: string;
  /** The award of this category; "" if not decided yet. */
  award: string;
}

export interface RuleGroup {
  title: string;
  points: string[];
}

export interface People {
  title: string;
  introduction: string;
  groups: PeopleGroup[];
  closing: Closing;
}

export interface PeopleGroup {
  type: "speaker" | "judge" | "demonstration" | "business";
  title: string;
  introduction: string;
  invitation: Card;
  profiles: Profile[];
}

export interface Profile {
  sample: boolean;
  /** A placeholder for a person not announced yet: `bioFull`, `handle` and `url` are empty. */
  comingSoon: boolean;
  /** The schedule refers to the profile by this key; "" if it does not. */
  key: string;
  name: string;
  role: string;
  bioShort: string;
  bioFull: string;
  handle: string;
  url: string;
  image: Image;
}

export interface Sponsors {
  title: string;
  introduction: string;
  waysTitle: string;
  ways: Item[];
  contactTitle: string;
  contactText: string;
  contactLabel: string;
  contactSubject: string;
  applyLink: Link;
  organiserTitle: string;
  organiserLinkLabel: string;
  inquiryTitle: string;
  inquiryText: string;
  inquiryButtonLabel: string;
  inquirySuccessTitle: string;
  inquirySuccessText: string;
  logosTitle: string;
  logos: Logo[];
}

/** A sponsor. Its name is shown if it has no picture. */
export interface Logo {
  sample: boolean;
  name: string;
  tier: string;
  url: string;
  image: Image;
}

export interface Venue {
  sample: boolean;
  title: string;
  name: string;
  introduction: string;
  overview: string;
  /** Lines. */
  address: string[];
  street: string;
  locality: string;
  state: string;
  postalCode: string;
  country: string;
  image: Image;
  alt: string;
  waitlistLink: Link;
  amenities: Item[];
  map: VenueMap;
  transport: SampleItem[];
  parking: SampleItem;
  gallery: Picture[];
  spaces: Item[];
  nearby: SampleItem[];
  hotels: Hotel[];
}

export interface VenueMap {
  sample: boolean;
  searchUrl: string;
  searchLabel: string;
  embedUrl: string;
  embedTitle: string;
}

export interface SampleItem extends Item {
  sample: boolean;
}

export interface Picture {
  title: string;
  image: Image;
  alt: string;
  art: string;
}

export interface Hotel {
  sample: boolean;
  name: string;
  text: string;
  /** By car. */
  minutesFrom: number;
  minutesTo: number;
  url: string;
}

export interface Schedule {
  title: string;
  introduction: string;
  printLabel: string;
  calendarLabel: string;
  days: ScheduleDay[];
  awards: Awards;
  notes: RuleGroup;
}

export interface ScheduleDay {
  date: string;
  label: string;
  theme: string;
  allDay: string[];
  items: ScheduleItem[];
}

export interface ScheduleItem {
  start: string;
  end: string;
  kind: "arrival" | "talk" | "panel" | "demo" | "competition" | "break" | "award" | "evening";
  title: string;
  text: string;
  /** The key of a profile; "" for no speaker. */
  speaker: string;
}

export interface Awards {
  title: string;
  names: string[];
}

export interface Faq {
  title: string;
  introduction: string;
  sections: FaqSection[];
}

export interface FaqSection {
  id: string;
  title: string;
  items: FaqItem[];
}

export interface FaqItem {
  question: string;
  answer: string;
}

export interface Apply {
  speaker: ApplyPage;
  judge: ApplyPage;
  sponsor: ApplyPage;
  demo: ApplyPage;
  entry: EntryPage;
}

export interface ApplyPage {
  title: string;
  introduction: string;
  note: string;
  submitLabel: string;
  successTitle: string;
  successText: string;
  /** Benefit tiles; four on the sponsor page, none elsewhere. */
  tiles: Item[];
  /** "What Happens Next?" on the demo page, "" elsewhere. */
  nextTitle: string;
  next: string[];
}

export interface EntryPage {
  title: string;
  introduction: string;
  note: string;
  submitLabel: string;
  successTitle: string;
  successText: string;
  /** For people who want to attend without competing; "" for none. */
  attendNote: string;
  rulesNotice: string;
  rulesLink: Link;
  categoriesTitle: string;
  paymentTitle: string;
  paymentNote: string;
  paymentClosed: string;
  returnLabel: string;
}

export interface Legal {
  photographyRelease: LegalText;
  speakerTerms: LegalText;
  judgeTerms: LegalText;
  competitionTerms: LegalText;
  demoTerms: LegalText;
  sponsorTerms: LegalText;
  privacy: LegalText;
  terms: LegalText;
  refundPolicy: LegalText;
}

export interface LegalText {
  sample: boolean;
  version: string;
  title: string;
  introduction: string;
  sections: Item[];
  bindingNote: string;
}

export interface Pricing {
  participantFeeCents: number;
  regularFeeCents: number;
  /** The last day of the priority price. */
  priorityDeadline: string;
  afterDeadline: "keep" | "regular";
  /** The total price of one and of two additional categories. */
  additionalCategoriesCents: number[];
  taxLocations: TaxLocation[];
}

export interface TaxLocation {
  value: string;
  label: string;
  /** Hundredths of a percent: 625 is 6.25%. */
  rateBasisPoints: number;
}

/** When a form is open, as the organiser has set it. `from` and `until` are "2026-01-31", "2026-01-31 18:00" or null. */
export interface OpeningRule {
  open: boolean;
  from: string | null;
  until: string | null;
  message: string;
}

/** Texts of emails; no page shows them. */
export interface Mail {
  greeting: string;
  /** For people who have submitted the same form before. */
  again: string;
  signOff: string;
  signature: string;
  footer: string;
  notifyOrganiser: boolean;
  /** Whether people who start an entry and do not pay get one reminder. */
  remindUnpaid: boolean;
  /** "What happens next" by kind; a missing kind uses the note of its form. */
  next: Record<string, string[]>;
  /** Promised answer times by kind: "48 hours", "7 business days", "2026-02-15". */
  promises: Record<string, string>;
  /** By the status that an organiser sets. */
  decisions: Record<string, DecisionMail>;
  refund: Letter;
  reminder: Letter;
  invitation: Letter;
}

export interface Letter {
  subject: string;
  body: string;
  /** Replaces the general sign-off; empty to keep it. */
  signOff: string;
}

export interface DecisionMail extends Letter {
  /** By kind; replaces the general text. */
  forKind: Record<string, Letter>;
}

export interface After {
  title: string;
  text: string;
  winnersTitle: string;
  winners: Winner[];
  nextTitle: string;
  nextText: string;
  galleryTitle: string;
  gallery: GalleryPicture[];
  /** The winners of earlier editions, newest first. */
  past: PastEdition[];
  /** Days after the event until the organiser is reminded to erase personal data; 0 for never. */
  eraseAfterDays: number;
}

export interface GalleryPicture {
  image: Image;
  alt: string;
  caption: string;
}

export interface PastEdition {
  title: string;
  dates: string;
  winners: Winner[];
}

export interface Winner {
  award: string;
  name: string;
  business: string;
}
