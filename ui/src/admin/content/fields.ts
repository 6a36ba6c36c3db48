import type { Option } from "../../kit/select";
import { timeOfDay } from "../shell/event-time";
import { kindLabels } from "../shell/kinds";
import { card, choice, closing, day, dollars, flag, group, items, line, lines, link, links, list, moment, number, part, picture, points, sample, samples, section, text, textOf, time, titled, tablesOf, type Field, type Part, type ChoiceField, type Table } from "./field-types";

/** Every profile with a key, by which a line of the schedule names its speaker. */
function speakers(content: Table): Option[] {
  const profiles = tablesOf((content.people as Table | undefined)?.groups).flatMap((one) => tablesOf(one.profiles));
  return [{ value: "", label: "Nobody" }, ...profiles.filter((profile) => textOf(profile.key)).map((profile) => ({ value: textOf(profile.key), label: textOf(profile.name) }))];
}

/** "lash-extensions" as "Lash extensions". */
const categoryText = (slug: string) => slug.charAt(0).toUpperCase() + slug.slice(1).replaceAll("-", " ");

const categoriesOf = (content: Table): Option[] => tablesOf(content.categories).map((category) => ({ value: textOf(category.slug), label: textOf(category.label) }));

function subcategoriesOf(content: Table, category: string): Option[] {
  const found = tablesOf(content.categories).find((one) => one.slug === category)?.subcategories;
  return (Array.isArray(found) ? found : []).map((name) => ({ value: textOf(name), label: textOf(name) }));
}

const awards = (content: Table): Option[] => {
  const names = ((content.schedule as Table | undefined)?.awards as Table | undefined)?.names;
  return [{ value: "", label: "None" }, ...(Array.isArray(names) ? names : []).map((name) => ({ value: textOf(name), label: textOf(name) }))];
};

/** A subcategory of the category that is chosen beside it; with `any`, also all of them. */
const subcategory = (name: string, any: boolean): ChoiceField => choice(name, "Subcategory", (content, of) => [...(any ? [{ value: "", label: "All of them" }] : []), ...subcategoriesOf(content, textOf(of.category))]);

const { entries } = Object;
const kinds = entries(kindLabels).map(([kind, { plural }]) => [kind, plural] as const);

const keyHint = "Lowercase letters, digits and hyphens.";

const drawings = ["classic", "volume", "creative-lashes", "lash-lift", "lamination", "creative-brows", "natural-glam", "editorial", "breakfast", "live-lashes", "talks", "arena", "products", "live-brows", "business", "awards", "gala", "lake", "skyline", "hours"];
/** The drawing shown while there is no photo. */
const drawing = choice("art", "Drawing", drawings.map((name) => ({ value: name, label: name.replace("-", " ") })), { hint: "Shown while there is no photo." });

const profileFields: readonly Field[] = [
  sample,
  flag("comingSoon", "Not announced yet", { hint: "Only the name and the short biography are shown." }),
  picture("image", "Photo", [1, 1]),
  line("name", "Name"),
  line("role", "Role"),
  text("bioShort", "Short biography", 300),
  text("bioFull", "Biography", 2000, { optional: true }),
  line("handle", "Handle", 80, { optional: true, hint: "Such as @name; it leads to the address below." }),
  line("url", "Address of the profile", 300, { optional: true, keyboard: "url" }),
  line("key", "Key", 60, { optional: true, hint: `By which the schedule names this person. ${keyHint}` }),
];

const people = part({ name: "people", title: "People", about: "Speakers, judges and demonstrators, with their photos.", page: "speakers-judges" }, [
  section("Page", "people", [line("title", "Title"), text("introduction", "Introduction")]),
  section("Groups and people", "people", [
    list("groups", "Groups", "group", [
      line("title", "Title"), text("introduction", "Introduction"),
      choice("type", "Who they are", { speaker: "Speakers", judge: "Judges", demonstration: "Demonstrators", business: "Business speakers" }),
      list("profiles", "People", "person", profileFields, { title: titled(", ", "name", "role"), most: 200 }),
      card("invitation", "Invitation to apply"),
    ], { least: 1, most: 12 }),
  ]),
  section("End of the page", "people", [closing("closing", "Invitation")]),
]);

const sessions = list("items", "Sessions", "session", [
  line("title", "Title"), time("start", "Starts"), time("end", "Ends"),
  choice("kind", "Kind", { arrival: "Arrival", talk: "Talk", panel: "Panel or workshop", demo: "Live demo", competition: "Competition", break: "Break", award: "Awards", evening: "Evening" }),
  choice("speaker", "Speaker", speakers, { hint: "A person with a key in People." }),
  text("text", "Text", 600, { optional: true }),
], { least: 1, most: 100, timed: true, title: (member) => [timeOfDay(textOf(member.start)), textOf(member.title)].filter(Boolean).join("  "), hint: "When you move a session, those in between get new times." });

const schedule = part({ name: "schedule", title: "Schedule", about: "The sessions of each day.", page: "schedule" }, [
  section("Days", "schedule", [
    list("days", "Days", "day", [line("label", "Label", 40), day("date", "Date"), line("theme", "Theme", 80), sessions, lines("allDay", "All day", "line", { least: 0 })],
      { least: 1, most: 10, title: titled(": ", "label", "theme") }),
  ]),
  section("Page", "schedule", [line("title", "Title"), text("introduction", "Introduction"), line("printLabel", "Button that prints", 60), line("calendarLabel", "Button for the calendar", 60)]),
  section("Awards and notes", "schedule", [group("awards", "Awards", [line("title", "Title"), lines("names", "Awards", "award")]), group("notes", "Notes", [line("title", "Title"), lines("points", "Points", "point")])]),
]);

const criterion: readonly Field[] = [line("label", "Label", 80), line("key", "Key", 40, { hint: keyHint }), text("fullMarks", "What full marks need", 300), number("max", "Points at most", 1, 100)];

const categories = part({ name: "categories", title: "Categories and rubrics", about: "What can be entered, how it is shown, and how it is judged.", page: "competition" }, [
  section("Categories", "", [
    list("categories", "Categories", "category", [
      line("label", "Name", 80),
      line("slug", "Key", 40, { hint: `Stored with every entry: do not change it once there are entries. ${keyHint}` }),
      lines("subcategories", "Subcategories", "subcategory", { longest: 80 }), text("description", "Description", 200),
    ], { least: 1, most: 40 }),
  ]),
  section("Cards", "competition", [
    list("cards", "Competitions", "competition", [
      line("label", "Name", 80), choice("category", "Category", categoriesOf), subcategory("subcategory", false), text("description", "Description", 300),
      choice("award", "Award", awards), picture("image", "Photo", [3, 2], "alt"), text("alt", "What the photo shows", 200, { optional: true }), drawing,
    ], { least: 1 }),
  ]),
  section("Page", "competition", [
    line("title", "Title"), text("introduction", "Introduction"), line("enterLabel", "Button", 60), link("waitlistLink", "Link to the waitlist"),
    line("stepsTitle", "Title of the steps"),
    list("steps", "Steps", "step", [
      line("title", "Title"), text("text", "Text"), line("when", "When", 60, { optional: true, hint: "Such as March 2-15." }),
      choice("fact", "Or its date is that of", { "": "Nothing", deadline: "The photo deadline", awards: "The awards ceremony" }, { optional: true }),
    ]),
    text("liveNote", "Note below the steps", 600, { optional: true }),
    line("prizesTitle", "Title of the prizes"), lines("prizes", "Prizes", "prize", { least: 0 }),
    line("juryTitle", "Title of the jury"), text("juryIntroduction", "Introduction of the jury", 600, { optional: true }),
  ]),
  section("How work is handed in", "competition.submission", [
    text("how", "How", 300, { optional: true }), moment("from", "From", "A day, with or without a time."), moment("deadline", "Until", "The day is included."), day("announcedBy", "Told by", { optional: true, hint: "While there is no deadline: when you will tell them." }),
  ], "Used while the Artist Portal is closed."),
  section("Judging", "judging", [
    group("terms", "What judges accept", [line("version", "Version", 40, { hint: "A new one for every change of the text." }), text("text", "Text", 4000)]),
    list("scale", "What points mean", "step", [line("points", "Points", 10), line("text", "Meaning", 120)], { title: titled(": ", "points", "text") }),
    list("rubrics", "Rubrics", "rubric", [
      choice("category", "Category", categoriesOf), subcategory("subCategory", false),
      list("criteria", "Criteria", "criterion", criterion, { least: 1, title: titled(": ", "label", "max") }),
      choice("step", "Steps of points", [{ value: "0.5", label: "Half points" }, { value: "1", label: "Whole points" }], { numeric: true }),
      number("minimumForPlaces", "Minimum nominations for places", 0, 100), number("thresholdPercent", "With fewer: percentage needed for a place", 0, 100),
      number("secondLookPoints", "Ask for a second look if points differ by", 0, 100, "Points from the panel's median. 0: nobody is asked."), number("penaltyCap", "Penalties at most", 0, 100),
      lines("tieOrder", "Keys of the criteria that break a tie", "key", { least: 0, longest: 40 }),
      list("penalties", "Penalties", "penalty", [line("label", "Label", 80), line("key", "Key", 40), number("max", "Points at most", 1, 100)]),
    ], { title: titled("", "subCategory") }),
  ], "A rubric is locked by the first score of its subcategory."),
]);

const portal = part({ name: "portal", title: "Artist Portal", about: "Where competitors hand in their photos: until when, and which photos.", page: "artist-portal" }, [
  section("Portal", "portal", [sample, flag("open", "The portal is open"), moment("deadline", "Deadline", "In event time. Needed while the portal is open."), flag("video", "A video may be handed in", { hint: "Besides the photos: MP4 or MOV, at most 2 minutes and 100 MB. The rules and the FAQ have texts of their own." })]),
  section("Photos", "portal", [
    list("slots", "Photos", "photo", [
      choice("category", "Category", categoriesOf), subcategory("subCategory", true), line("label", "Name", 80), line("hint", "Hint", 200, { optional: true }),
      flag("required", "Required", { otherwise: true }), number("minPixels", "Pixels at least", 0, 10_000, "Of the longer side. 0: any size."),
      line("key", "Key", 40, { hint: "It must stay as it is once photos are there." }),
    ], { most: 200, title: (member) => `${textOf(member.label)} (${textOf(member.subCategory) || categoryText(textOf(member.category))})` }),
  ]),
  section("What competitors and models sign", "portal", [
    list("ticks", "Competitors confirm", "sentence", [text("label", "Sentence", 300), line("key", "Key", 40)]),
    group("release", "Model release", [line("version", "Version", 40, { hint: "A new one for every change of the text." }), text("text", "Text", 4000)]),
  ]),
]);

const door = part({ name: "door", title: "Door", about: "What people are let in to, and what their tickets say.", page: "venue" }, [
  section("Tickets", "door", [
    group("bring", "What to bring", entries({ competitor: "Competitors", speaker: "Speakers", judge: "Judges", demonstrator: "Demonstrators", sponsor: "Sponsors", guest: "Guests" }).map(([role, label]) => text(role, label, 600, { optional: true }))),
  ]),
  section("Lists", "door", [
    list("lists", "Lists", "list", [
      line("label", "Label", 40), line("key", "Key", 40, { hint: keyHint }), day("day", "Day"),
      lines("roles", "Roles", "role", { least: 0, longest: 20 }),
    ], { hint: "Without any, people are let in to Day 1, Day 2 and Gala. A first list replaces all three, so add each that you need." }),
  ]),
]);

const winner: readonly Field[] = [line("award", "Award", 120, { optional: true }), line("name", "Name"), line("business", "Studio and city", 120, { optional: true })];
const winners = list("winners", "Winners", "winner", winner, { most: 200, title: titled(": ", "award", "name") });

const facts = part({ name: "facts", title: "Facts and dates", about: "The event's name, its days, hours and figures.", page: "home" }, [
  section("Name", "event", [
    line("name", "Name"),
    line("shortName", "Short name", 40),
    line("tagline", "Tagline", 120, { hint: "The headline of the home page. Its last word is set apart." }),
    text("summary", "Summary", 300, { hint: "One sentence, for search engines and shared links." }),
  ]),
  section("Dates and hours", "event", [
    line("dates", "Dates as people read them", 80, { hint: "They must name the first day, the last day and the year: March 28-29, 2026" }),
    day("firstDay", "First day"),
    day("lastDay", "Last day"),
    time("opens", "Doors open"),
    time("closes", "Doors close"),
    line("hours", "Hours as people read them", 80),
    line("timeZoneLabel", "Name of the time zone", 40),
    list("days", "The days", "day", [line("label", "Label", 40), day("date", "Date"), line("theme", "Theme", 80), lines("points", "What happens", "point")],
      { least: 1, most: 10, title: titled(": ", "label", "theme") }),
  ], "Texts that name a day do not change with these dates: look for them with “Find a text” on the first page of the website."),
  section("Place and figures", "event", [
    line("city", "City", 80),
    line("region", "Region", 80),
    line("selectedProfessionals", "People chosen to take part", 80, { hint: "With the figure first: 125 hand-selected professionals" }),
    line("expectedProfessionals", "People expected to come", 80),
    line("arenaStations", "Stations", 80),
    line("vendorBooths", "Booths", 80),
  ]),
]);

const about = part({ name: "about", title: "About and organiser", about: "The About page, and the brand behind the event with the address on receipts.", page: "about" }, [
  section("About page", "about", [line("title", "Title"), text("introduction", "Introduction"), line("expectTitle", "Title of the list"), lines("expect", "What to expect", "point"), link("venueLink", "Link to the venue")]),
  section("Organisers", "about", [
    line("organisersTitle", "Title"),
    list("organisers", "People", "organiser", [sample, line("name", "Name"), line("role", "Role"), text("bio", "About them"), picture("image", "Photo", [1, 1])], { least: 1 }),
    line("organisedByTitle", "Title of the brand"),
    text("organisedByText", "Text below it"),
  ]),
  section("The brand", "organiser", [
    sample, line("name", "Name"),
    line("legalName", "Legal name", 120, { hint: "On receipts." }),
    text("description", "Description"),
    lines("address", "Address", "line", { hint: "On receipts, line by line.", most: 6, longest: 120 }),
    line("website", "Website", 300, { keyboard: "url" }),
    line("websiteLabel", "Website as people read it"),
  ]),
]);

const pass = part({ name: "pass", title: "Pass, prices and tax", about: "What the pass is, what it costs and until when, and the tax rates.", page: "home" }, [
  section("Prices", "pricing", [
    dollars("participantFeeCents", "Priority price", "The pass with one nomination, before tax."), dollars("regularFeeCents", "Regular price", "At least the priority price."),
    day("priorityDeadline", "Last day of the priority price"),
    choice("afterDeadline", "From the day after", { keep: "Keep the priority price", regular: "Charge the regular price" }),
    group("additionalCategoriesCents", "Additional categories", [dollars("0", "One more category"), dollars("1", "Two more categories together")], { array: true }),
  ], "Where a text has {price}, the current price stands there. Other texts that name a price do not change by themselves."),
  section("Tax", "pricing", [
    list("taxLocations", "Rates by place", "place", [
      line("label", "Place", 80),
      line("value", "Key", 40, { hint: "Stored with every entry. Lowercase letters, digits and hyphens; “other” is every place that is not listed." }),
      { ...number("rateBasisPoints", "Rate", 0, 2_500), type: "percent" },
    ], { least: 1, title: (member) => `${textOf(member.label)}: ${Number(member.rateBasisPoints) / 100}%` }),
  ]),
  section("The pass", "pass", [
    line("name", "Name"),
    line("badge", "Badge", 40),
    line("priceNote", "Beside the price", 80),
    line("priceNoteAfter", "Beside the price, after the priority price", 80, { optional: true }),
    text("description", "Description"),
    line("buttonText", "Button", 80, { hint: "The price is added to it." }),
    line("waitlistButtonText", "Button while entries are closed", 80),
    list("features", "What is included", "feature", [line("text", "Text", 200), flag("included", "Included")], { least: 1, title: titled("", "text") }),
    number("frontRowPlaces", "Front row places", 0, 100_000),
    text("frontRowNote", "Note about the front row"),
    flag("addOnsOffered", "Offer additional categories"),
    list("addOns", "Additional categories", "text", [line("title", "Title"), text("text", "Text")], { least: 2, most: 2, hint: "The first is for one additional category, the second for two." }),
  ]),
]);

const contact = part({ name: "contact", title: "Contact and chat", about: "Email addresses, phone, chat and social media.", page: "contact" }, [
  section("Contact", "contact", [
    sample, line("heading", "Title"), text("introduction", "Introduction"),
    line("email", "Email", 200, { keyboard: "email" }), line("partnershipEmail", "Email for partners", 200, { keyboard: "email" }), line("phone", "Phone", 40, { keyboard: "tel" }),
  ]),
  section("Chat", "chat", [
    sample,
    line("number", "WhatsApp number", 15, { keyboard: "tel", optional: true, hint: "Digits only, with the country code. Empty: no chat button." }),
    text("prefilledText", "First message", 300), line("tooltip", "What the button says"),
  ]),
  section("Social media", "", [list("socialLinks", "Links", "link", [sample, line("label", "Name", 40), line("url", "Address", 300, { keyboard: "url", optional: true })])]),
]);

const after = part({ name: "after", title: "After the event", about: "What the site says once the event is over: thanks, winners, the next one.", page: "home" }, [
  section("State of the site", "", [choice("phase", "The event", { before: "Is ahead: the site invites people", after: "Is over: the site thanks them and shows the winners" }, { hint: "Once it is over, every form except the waitlist is closed." })]),
  section("Thanks and winners", "after", [
    line("title", "Title"), text("text", "Text"), line("winnersTitle", "Title of the winners"),
    winners,
    line("nextTitle", "Title of the next event", 120, { optional: true }), text("nextText", "Text about the next event"),
  ]),
  section("Gallery", "after", [
    line("galleryTitle", "Title", 80),
    list("gallery", "Photos", "photo", [picture("image", "Photo", [3, 2], "alt"), text("alt", "What the photo shows", 200), line("caption", "Caption", 160, { optional: true })], { title: (member) => textOf(member.caption) || textOf(member.alt) }),
  ], "Photos of the event, shown once it is over."),
  section("Former editions", "after", [
    list("past", "Editions", "edition", [line("title", "Title"), line("dates", "Dates", 80), winners], { most: 20 }),
  ], "Their winners stay on the site."),
  section("Personal data", "after", [
    number("eraseAfterDays", "Erase personal data after this many days", 0, 3_650, "Counted from the last day. Your start page then reminds you, with a button that erases everybody of this edition. 0: no reminder."),
  ]),
]);

/** Every page that the draft can be previewed on, by its path. */
export const pageTitles = {
  home: "Home page", about: "About", competition: "Competition", "speakers-judges": "Speakers and judges", sponsors: "Sponsors", venue: "Venue", schedule: "Schedule", faq: "FAQ",
  "apply-speaker": "Apply as speaker", "apply-judge": "Apply as judge", "apply-sponsor": "Apply as sponsor", "apply-professional-demo": "Professional demo", "enter-competition": "Enter the competition",
  "artist-portal": "Artist Portal", contact: "Contact", privacy: "Privacy", terms: "Terms", "refund-policy": "Refund policy",
};

const search = part({ name: "search", title: "Search engines", about: "The sentence that search engines and shared links show for each page.", page: "home" }, [
  section("One sentence for each page", "descriptions", entries(pageTitles).filter(([path]) => path !== "artist-portal").map(([path, label]) => text(path.replace(/-(.)/g, (_, first: string) => first.toUpperCase()), label, 300))),
]);

const emails = part({ name: "emails", title: "Emails", about: "What all emails have in common. The text of each one is in “Email texts”.", page: "home" }, [
  section("Every email", "mail", [
    line("greeting", "Greeting", 120, { hint: "{name} is the person's name." }),
    text("again", "To somebody who has written before", 400, { hint: "{kind} is what was sent, {date} when." }),
    line("signOff", "Sign-off"), line("signature", "Signature"), text("footer", "Footer", 300),
    flag("notifyOrganiser", "Email the organiser about each registration"),
    flag("remindUnpaid", "Remind people of an entry that is not paid, once"),
  ]),
  ...kinds.map(([kind, title]) => section(title, "mail", [
    lines(`next.${kind}`, "What happens next", "point", { least: 0, most: 12, optional: true }),
    line(`promises.${kind}`, "When an answer is promised", 40, { optional: true, hint: "48 hours, 7 business days, or a day like 2026-02-15. Empty: nothing is promised." }),
  ])),
]);

const venue = part({ name: "venue", title: "Venue and hotels", about: "The place, how to get there, and where to sleep.", page: "venue" }, [
  section("Venue", "venue", [
    sample, line("title", "Title of the page"), line("name", "Name of the venue"), text("introduction", "Introduction"), text("overview", "Overview", 2000),
    picture("image", "Photo", [3, 2], "alt"), text("alt", "What the photo shows", 200), link("waitlistLink", "Link to the waitlist"),
  ]),
  section("Address", "venue", [
    lines("address", "Address as people read it", "line", { most: 6, longest: 120 }),
    line("street", "Street", 120, { hint: "For calendars and search engines." }), line("locality", "City", 80), line("state", "State", 40), line("postalCode", "ZIP code", 20, { optional: true }), line("country", "Country", 40),
    group("map", "Map", [
      sample, line("searchUrl", "Address of the map", 500, { optional: true, keyboard: "url", hint: "Empty: a search for the address above." }), line("searchLabel", "Button", 60),
      line("embedUrl", "Address of the map in the page", 500, { keyboard: "url", hint: "Begins with https://" }), line("embedTitle", "What the map shows"),
    ]),
  ]),
  section("Getting there", "venue", [samples("transport", "Ways", "way"), group("parking", "Parking", [sample, line("title", "Title"), text("text", "Text")])]),
  section("Hotels", "venue", [
    list("hotels", "Hotels", "hotel", [sample, line("name", "Name"), text("text", "Text", 300), number("minutesFrom", "Minutes by car, at least", 0, 600), number("minutesTo", "Minutes by car, at most", 0, 600), line("url", "Address", 300, { optional: true, keyboard: "url" })]),
    samples("nearby", "Nearby", "place"),
  ]),
  section("Inside", "venue", [
    items("amenities", "Amenities", "amenity"), items("spaces", "Halls", "hall"),
    list("gallery", "Gallery", "picture", [line("title", "Title"), picture("image", "Photo", [1, 1], "alt"), text("alt", "What the picture shows", 200), drawing]),
  ]),
]);

const faq = part({ name: "faq", title: "FAQ", about: "Questions and their answers.", page: "faq" }, [
  section("Questions", "faq", [
    line("title", "Title"), text("introduction", "Introduction"),
    list("sections", "Sections", "section", [
      line("title", "Title"), line("id", "Key", 40, { hint: `In the page's address. ${keyHint}` }),
      list("items", "Questions", "question", [line("question", "Question", 200), text("answer", "Answer", 2000, { hint: "{price}, {prices} and {submission} stand for the current price, both prices, and how photos are handed in." })], { least: 1, most: 200, title: titled("", "question") }),
    ], { least: 1 }),
  ]),
]);

const legalFields: readonly Field[] = [
  sample, line("title", "Title"), line("version", "Version", 40, { hint: "Stored with every agreement. Change it whenever you change the text." }), text("introduction", "Introduction"),
  items("sections", "Sections", "section", { least: 1 }), text("bindingNote", "Closing note", 600, { optional: true }),
];

const legal = part({ name: "legal", title: "Rules and legal texts", about: "The rules of the competition, terms, privacy and refunds.", page: "terms" }, [
  section("Competition rules", "competition", [line("rulesTitle", "Title"), text("rulesIntroduction", "Introduction"), points("rules", "Rules", "group of rules")]),
  ...entries({
    photographyRelease: "Photography release", speakerTerms: "Speaker terms", judgeTerms: "Judge terms", competitionTerms: "Competition terms", demoTerms: "Demo terms",
    sponsorTerms: "Sponsor terms", privacy: "Privacy", terms: "Terms of service", refundPolicy: "Refund policy",
  }).map(([name, title]) => section(title, `legal.${name}`, legalFields)),
]);

const slideFields = (more: readonly Field[]): readonly Field[] => [
  ...more, line("title", "Title"), text("description", "Text", 300), picture("image", "Photo", [1, 1], "alt"), text("alt", "What the picture shows", 200), drawing, line("id", "Key", 40, { hint: keyHint }),
];

const home = part({ name: "home", title: "Home page", about: "The start of the site: headline picture, cards, slides and invitations.", page: "home" }, [
  section("Top of the page", "home.hero", [text("introduction", "Introduction"), picture("image", "Photo", [4, 5], "alt"), text("alt", "What the picture shows", 200), links("buttons", "Buttons"), link("scheduleButton", "Button to the schedule")]),
  section("Cards", "home", [list("cards", "Cards", "card", [line("title", "Title"), text("text", "Text"), link("link", "Link")], { least: 1, most: 6 }), card("sponsorsCard", "Card for sponsors")]),
  section("Categories", "home.carousel", [line("title", "Title"), text("introduction", "Introduction"), link("button", "Button"), list("items", "Categories", "category", slideFields([]), { least: 1 })]),
  section("Slides", "home.slideshow", [line("title", "Title"), text("introduction", "Introduction"), list("slides", "Slides", "slide", slideFields([line("category", "Category", 60)]), { least: 1 })]),
  section("Recognition", "home.recognition", [
    line("title", "Title"), text("text", "Text"), lines("points", "Points", "point"), picture("image", "Photo of the ceremony", [12, 5], "alt"), text("alt", "What the photo shows", 200, { optional: true }),
  ]),
  section("Quotation", "home", [group("quote", "Quotation", [text("text", "What she says"), line("name", "Name"), line("role", "Who she is")], { optional: true, hint: "A sentence of somebody who was there." })]),
  section("Invitations", "home", [
    closing("closing", "End of the page"),
    group("waitlist", "Waitlist", [line("title", "Title"), text("text", "Text"), line("buttonLabel", "Button", 60), line("successTitle", "Thanks: title"), text("successText", "Thanks: text")]),
  ]),
]);

const sponsors = part({ name: "sponsors", title: "Sponsors", about: "The sponsors' logos, and how to become one.", page: "sponsors" }, [
  section("Our sponsors", "sponsors", [
    line("logosTitle", "Title", 80),
    list("logos", "Sponsors", "sponsor", [sample, line("name", "Name"), line("tier", "Tier", 40, { optional: true, hint: "Such as Gold." }), picture("image", "Logo", [3, 2], undefined, { whole: true }), line("url", "Address", 300, { optional: true, keyboard: "url" })],
      { most: 100, title: titled(", ", "name", "tier") }),
  ], "Nothing is shown while the list is empty."),
  section("Page", "sponsors", [line("title", "Title"), text("introduction", "Introduction"), link("applyLink", "Button to apply"), line("waysTitle", "Title of the ways"), items("ways", "Ways to take part", "way")]),
  section("Inquiry and contact", "sponsors", [
    line("inquiryTitle", "Title of the inquiry"), text("inquiryText", "Text"), line("inquiryButtonLabel", "Button", 60), line("inquirySuccessTitle", "Thanks: title"), text("inquirySuccessText", "Thanks: text"),
    line("contactTitle", "Title of the contact"), text("contactText", "Text"), line("contactLabel", "Link", 80), line("contactSubject", "Subject of the email"),
    line("organiserTitle", "Title of the organiser"), line("organiserLinkLabel", "Link to the organiser", 80),
  ]),
]);

const formTexts: readonly Field[] = [
  line("title", "Title"), text("introduction", "Introduction"), text("note", "Note", 400), line("submitLabel", "Button", 60), line("successTitle", "Thanks: title"), text("successText", "Thanks: text"),
];
const applyTexts: readonly Field[] = [...formTexts, items("tiles", "Tiles", "tile", { most: 8 }), line("nextTitle", "Title of what happens next", 120, { optional: true }), lines("next", "What happens next", "point", { least: 0 })];

const forms = part({ name: "forms", title: "Openings and forms", about: "When each form is open, and the texts around it.", page: "enter-competition" }, [
  ...kinds.map(([kind, title]) => section(title, `openings.${kind}`, [
    flag("open", "Open", { otherwise: true, hint: "Within the days below, if there are any." }),
    moment("from", "From", "In event time. Empty: at once."), moment("until", "Until", "In event time; a day is included. Empty: without an end."),
    text("message", "What visitors read while it is closed", 500, { optional: true }),
  ])),
  ...entries({ speaker: "Speaker form", judge: "Judge form", sponsor: "Sponsor form", demo: "Demo form" }).map(([name, title]) => section(title, `apply.${name}`, applyTexts)),
  section("Entry form", "apply.entry", [
    ...formTexts, text("attendNote", "For people who only want to attend", 400, { optional: true }), text("rulesNotice", "Notice about the rules", 400), link("rulesLink", "Link to the rules"), line("categoriesTitle", "Title of the categories"),
    line("paymentTitle", "Payment: title"), text("paymentNote", "Payment: note", 400), text("paymentClosed", "Payment: not open yet", 400), line("returnLabel", "Button back", 60),
  ]),
]);

/** The pages of the editor, in the order of its menu. */
export const parts: readonly Part[] = [facts, people, schedule, venue, faq, legal, pass, categories, portal, door, home, sponsors, about, contact, forms, emails, after, search];
