// Written by a test (src/typescript_tests.rs) from the types of the server. Do not edit it.
// Texts are plain: a blank line starts a new paragraph, markup is shown as it was typed. Days are "2026-03-28", times
// "09:30" in the event's own time zone, money is whole cents. An empty text ("") or list means "none".

/** An uploaded picture in its sizes; "" if none is chosen, and then a drawing takes its place. */
export type Image = "" | Sizes;

export type About = { title: string, introduction: string, expectTitle: string, expect: NonEmpty<string>, venueLink: Link, organisersTitle: string, organisers: NonEmpty<Person>, organisedByTitle: string, organisedByText: string, };

export type After = { title: string, text: string, winnersTitle: string, winners: Array<Winner>, galleryTitle: string, gallery: Array<GalleryPicture>, nextTitle: string, nextText: string, past: Array<PastEdition>, eraseAfterDays: number, };

export type AfterDeadline = "keep" | "regular";

export type Apply = { speaker: ApplyPage, judge: ApplyPage, sponsor: ApplyPage, demo: ApplyPage, entry: EntryPage, };

export type ApplyPage = { title: string, introduction: string, note: string, submitLabel: string, successTitle: string, successText: string, tiles: Array<Item>, nextTitle: string, next: Array<string>, };

export type Awards = { title: string, names: NonEmpty<string>, };

export type Card = { title: string, text: string, link: Link, };

export type Carousel = { title: string, introduction: string, button: Link, items: NonEmpty<CarouselItem>, };

export type CarouselItem = { id: string, title: string, description: string, image: Image, alt: string, art: string, };

export type Category = { slug: string, label: string, subcategories: NonEmpty<string>, description: string, };

export type Chat = { sample: boolean, number: string, prefilledText: string, tooltip: string, };

export type Closing = { title: string, text: string, buttons: NonEmpty<Link>, };

export type Competition = { title: string, introduction: string, enterLabel: string, waitlistLink: Link, rulesTitle: string, rulesIntroduction: string, stepsTitle: string, steps: Array<Step>, liveNote: string, submission: Submission, prizesTitle: string, prizes: Array<string>, juryTitle: string, juryIntroduction: string, cards: NonEmpty<CompetitionCard>, rules: NonEmpty<Points>, };

export type CompetitionCard = { label: string, category: string, subcategory: string, description: string, art: string, image: Image, alt: string, award: string, };

export type Contact = { sample: boolean, email: string, partnershipEmail: string, phone: string, heading: string, introduction: string, };

export type Content = { phase: Phase, event: EventFacts, organiser: Organiser, contact: Contact, chat: Chat, socialLinks: Array<SocialLink>, descriptions: Descriptions, home: Home, pass: Pass, about: About, categories: NonEmpty<Category>, competition: Competition, portal: Portal, judging: Judging, door: Door, people: People, sponsors: Sponsors, venue: Venue, schedule: Schedule, faq: Faq, apply: Apply, legal: Legal, pricing: Pricing, openings: { [key in string]: Opening }, mail: Mail, after: After, unconfirmed: Array<string>, };

export type Criterion = { key: string, label: string, fullMarks: string, max: number, };

export type Decision = { subject: string, body: string, signOff: string, forKind: { [key in string]: EmailText }, };

export type Decisions = { accepted: Decision, waitlisted: Decision, declined: Decision, };

export type Descriptions = { home: string, about: string, competition: string, speakersJudges: string, sponsors: string, venue: string, schedule: string, faq: string, applySpeaker: string, applyJudge: string, applySponsor: string, applyProfessionalDemo: string, enterCompetition: string, privacy: string, terms: string, refundPolicy: string, contact: string, };

export type Door = { ticketsBeforeDays: Array<number>, bring: { [key in Role]?: string }, lists: Array<DoorList>, };

export type DoorList = { key: string, label: string, day: string, roles: Array<Role>, };

export type EmailText = { subject: string, body: string, signOff: string, };

export type EntryPage = { title: string, introduction: string, attendNote: string, note: string, submitLabel: string, successTitle: string, successText: string, rulesNotice: string, rulesLink: Link, categoriesTitle: string, paymentTitle: string, paymentNote: string, paymentClosed: string, returnLabel: string, };

export type EventDay = { label: string, date: string, theme: string, points: NonEmpty<string>, };

export type EventFacts = { name: string, shortName: string, tagline: string, summary: string, dates: string, firstDay: string, lastDay: string, opens: string, closes: string, hours: string, timeZone: string, timeZoneLabel: string, city: string, region: string, selectedProfessionals: string, expectedProfessionals: string, arenaStations: string, vendorBooths: string, days: NonEmpty<EventDay>, demoDay: string | null, };

export type Faq = { title: string, introduction: string, sections: NonEmpty<FaqSection>, };

export type FaqItem = { question: string, answer: string, };

export type FaqSection = { id: string, title: string, items: NonEmpty<FaqItem>, };

export type Feature = { text: string, included: boolean, };

export type GalleryPicture = { image: Image, alt: string, caption: string, };

export type Hero = { introduction: string, image: Image, alt: string, buttons: NonEmpty<Link>, scheduleButton: Link, };

export type Home = { hero: Hero, cards: NonEmpty<Card>, sponsorsCard: Card, carousel: Carousel, slideshow: Slideshow, recognition: Recognition, quote: Quote | null, closing: Closing, waitlist: Waitlist, };

export type Hotel = { sample: boolean, name: string, text: string, minutesFrom: number, minutesTo: number, url: string, };

export type Item = { title: string, text: string, };

export type JudgeTerms = { version: string, text: string, };

export type Judging = { terms: JudgeTerms, scale: Array<ScaleStep>, rubrics: Array<Rubric>, };

export type Legal = { photographyRelease: LegalText, speakerTerms: LegalText, judgeTerms: LegalText, competitionTerms: LegalText, demoTerms: LegalText, sponsorTerms: LegalText, privacy: LegalText, terms: LegalText, refundPolicy: LegalText, };

export type LegalText = { sample: boolean, version: string, title: string, introduction: string, sections: NonEmpty<Item>, bindingNote: string, };

export type Link = { label: string, href: string, };

export type Logo = { sample: boolean, name: string, tier: string, url: string, image: Image, };

export type Mail = { greeting: string, again: string, signOff: string, signature: string, footer: string, notifyOrganiser: boolean, remindUnpaid: boolean, next: { [key in string]: Array<string> }, promises: { [key in string]: string }, decisions: Decisions, refund: EmailText, reminder: EmailText, invitation: EmailText, };

export type Method = "mean";

export type NonEmpty<T> = Array<T>;

export type Opening = { open: boolean, from: string | null, until: string | null, message: string, };

export type Organiser = { sample: boolean, name: string, legalName: string, description: string, address: NonEmpty<string>, website: string, websiteLabel: string, };

export type Pass = { name: string, badge: string, priceNote: string, priceNoteAfter: string, description: string, buttonText: string, waitlistButtonText: string, addOnsOffered: boolean, frontRowPlaces: number, features: NonEmpty<Feature>, frontRowNote: string, addOns: Array<Item>, };

export type PastEdition = { title: string, dates: string, winners: Array<Winner>, };

export type Penalty = { key: string, label: string, max: number, };

export type People = { title: string, introduction: string, groups: NonEmpty<PeopleGroup>, closing: Closing, };

export type PeopleGroup = { type: ProfileKind, title: string, introduction: string, invitation: Card, profiles: Array<Profile>, };

export type Person = { sample: boolean, name: string, role: string, bio: string, image: Image, };

export type Phase = "before" | "after";

export type Picture = { title: string, image: Image, alt: string, art: string, };

export type Points = { title: string, points: NonEmpty<string>, };

export type Portal = { sample: boolean, open: boolean, deadline: string | null, video: boolean, slots: Array<Slot>, ticks: Array<Tick>, release: Release, };

export type Pricing = { participantFeeCents: number, regularFeeCents: number, priorityDeadline: string, afterDeadline: AfterDeadline, additionalCategoriesCents: Array<number>, taxLocations: Array<TaxLocation>, };

export type Profile = { sample: boolean, comingSoon: boolean, key: string, name: string, role: string, bioShort: string, bioFull: string, handle: string, url: string, image: Image, };

export type ProfileKind = "speaker" | "judge" | "demonstration" | "business";

export type Quote = { text: string, name: string, role: string, };

export type Recognition = { title: string, text: string, points: NonEmpty<string>, image: Image, alt: string, };

export type Release = { version: string, text: string, };

export type Role = "competitor" | "speaker" | "judge" | "demonstrator" | "sponsor" | "guest";

export type Rubric = { category: string, subCategory: string, method?: Method, step: number, minimumForPlaces: number, thresholdPercent: number | null, secondLookPoints: number, penaltyCap: number, tieOrder: Array<string>, criteria: Array<Criterion>, penalties: Array<Penalty>, };

export type ScaleStep = { points: string, text: string, };

export type Schedule = { title: string, introduction: string, printLabel: string, calendarLabel: string, days: NonEmpty<ScheduleDay>, awards: Awards, notes: Points, };

export type ScheduleDay = { date: string, label: string, theme: string, allDay: Array<string>, items: NonEmpty<ScheduleItem>, };

export type ScheduleItem = { start: string, end: string, kind: ScheduleKind, title: string, text: string, speaker: string, };

export type ScheduleKind = "arrival" | "talk" | "panel" | "demo" | "competition" | "break" | "award" | "evening";

export type Sizes = { srcSet: string, src: string, width: number, height: number, alt: string, "data-focus"?: string, };

export type Slide = { id: string, category: string, title: string, description: string, image: Image, alt: string, art: string, };

export type Slideshow = { title: string, introduction: string, slides: NonEmpty<Slide>, };

export type Slot = { category: string, subCategory: string, key: string, label: string, hint: string, required: boolean, minPixels: number, };

export type SocialLink = { sample: boolean, label: string, url: string, };

export type Sponsors = { title: string, introduction: string, waysTitle: string, ways: Array<Item>, contactTitle: string, contactText: string, contactLabel: string, contactSubject: string, applyLink: Link, organiserTitle: string, organiserLinkLabel: string, inquiryTitle: string, inquiryText: string, inquiryButtonLabel: string, inquirySuccessTitle: string, inquirySuccessText: string, logosTitle: string, logos: Array<Logo>, };

export type Step = { title: string, text: string, when: string, fact: StepFact | null, };

export type StepFact = "deadline" | "awards";

export type Submission = { how: string, from: string | null, deadline: string | null, announcedBy: string | null, };

export type TaxLocation = { value: string, label: string, rateBasisPoints: number, };

export type Tick = { key: string, label: string, };

export type Travel = { sample: boolean, title: string, text: string, };

export type Venue = { sample: boolean, title: string, name: string, introduction: string, overview: string, address: NonEmpty<string>, street: string, locality: string, state: string, postalCode: string, country: string, image: Image, alt: string, waitlistLink: Link, amenities: Array<Item>, map: VenueMap, transport: Array<Travel>, parking: Travel, gallery: Array<Picture>, spaces: Array<Item>, nearby: Array<Travel>, hotels: Array<Hotel>, };

export type VenueMap = { sample: boolean, searchUrl: string, searchLabel: string, embedUrl: string, embedTitle: string, };

export type Waitlist = { title: string, text: string, buttonLabel: string, successTitle: string, successText: string, };

export type Winner = { award: string, name: string, business: string, };
