import { timeOfDay } from "../shell/event-time";
import {
  card, choice, closing, day, flag, group, items, line, lines, link, links, list, moment, number, picture, points, sample, samples, text, textOf, time, type Field, type ListField, type Part, type Section, type Table,
} from "./field-types";
import { awards, categoriesOf, categoryText, speakers, subcategory } from "./field-options";

/** As what people come. */
const roles = { competitor: "Competitors", speaker: "Speakers", judge: "Judges", demonstrator: "Demonstrators", sponsor: "Sponsors", guest: "Guests" };

const keyHint = "Lowercase letters, digits and hyphens.";

const drawings = ["classic", "volume", "creative-lashes", "lash-lift", "lamination", "creative-brows", "natural-glam", "editorial", "breakfast", "live-lashes", "talks", "arena", "products", "live-brows", "business", "awards", "gala", "lake", "skyline", "hours"];
/** The drawing shown while there is no photo. */
const drawing = choice("art", "Drawing", drawings.map((name) => ({ value: name, label: name.replace("-", " ") })), "Shown while there is no photo.");

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

const profileTypes = { speaker: "Speakers", judge: "Judges", demonstration: "Demonstrators", business: "Business speakers" };

const people: Part = {
  name: "people", title: "People", about: "Speakers, judges and demonstrators, with their photos.", page: "speakers-judges",
  sections: [
    { title: "Page", path: "people", fields: [line("title", "Title"), text("introduction", "Introduction")] },
    {
      title: "Groups and people", path: "people", fields: [
        list("groups", "Groups", "group", [
          line("title", "Title"), text("introduction", "Introduction"),
          choice("type", "Who they are", Object.entries(profileTypes).map(([value, label]) => ({ value, label }))),
          list("profiles", "People", "person", profileFields, { title: (member) => [textOf(member.name), textOf(member.role)].filter(Boolean).join(", "), most: 200 }),
          card("invitation", "Invitation to apply"),
        ], { least: 1, most: 12 }),
      ],
    },
    { title: "End of the page", path: "people", fields: [closing("closing", "Invitation")] },
  ],
};

const scheduleKinds = { arrival: "Arrival", talk: "Talk", panel: "Panel or workshop", demo: "Live demo", competition: "Competition", break: "Break", award: "Awards", evening: "Evening" };

const sessions: ListField = list("items", "Sessions", "session", [
  line("title", "Title"), time("start", "Starts"), time("end", "Ends"),
  choice("kind", "Kind", Object.entries(scheduleKinds).map(([value, label]) => ({ value, label }))),
  choice("speaker", "Speaker", speakers, "A person with a key in People."),
  text("text", "Text", 600, { optional: true }),
], { least: 1, most: 100, timed: true, title: (member) => [timeOfDay(textOf(member.start)), textOf(member.title)].filter(Boolean).join("  "), hint: "When you move a session, those in between get new times." });

const schedule: Part = {
  name: "schedule", title: "Schedule", about: "The sessions of each day.", page: "schedule",
  sections: [
    {
      title: "Days", path: "schedule", fields: [
        list("days", "Days", "day", [line("label", "Label", 40), day("date", "Date"), line("theme", "Theme", 80), sessions, lines("allDay", "All day", "line", { least: 0 })],
          { least: 1, most: 10, title: (member) => [textOf(member.label), textOf(member.theme)].filter(Boolean).join(": ") }),
      ],
    },
    { title: "Page", path: "schedule", fields: [line("title", "Title"), text("introduction", "Introduction"), line("printLabel", "Button that prints", 60), line("calendarLabel", "Button for the calendar", 60)] },
    { title: "Awards and notes", path: "schedule", fields: [group("awards", "Awards", [line("title", "Title"), lines("names", "Awards", "award")]), group("notes", "Notes", [line("title", "Title"), lines("points", "Points", "point")])] },
  ],
};

const criterion: readonly Field[] = [line("label", "Label", 80), line("key", "Key", 40, { hint: keyHint }), text("fullMarks", "What full marks need", 300), number("max", "Points at most", 1, 100)];

const categories: Part = {
  name: "categories", title: "Categories and rubrics", about: "What can be entered, how it is shown, and how it is judged.", page: "competition",
  sections: [
    {
      title: "Categories", path: "", fields: [
        list("categories", "Categories", "category", [
          line("label", "Name", 80),
          line("slug", "Key", 40, { hint: `Stored with every entry: do not change it once there are entries. ${keyHint}` }),
          lines("subcategories", "Subcategories", "subcategory", { longest: 80 }), text("description", "Description", 200),
        ], { least: 1, most: 40 }),
      ],
    },
    {
      title: "Cards", path: "competition", fields: [
        list("cards", "Competitions", "competition", [
          line("label", "Name", 80), choice("category", "Category", categoriesOf), subcategory("subcategory", false), text("description", "Description", 300),
          choice("award", "Award", awards), picture("image", "Photo", [3, 2], "alt"), text("alt", "What the photo shows", 200, { optional: true }), drawing,
        ], { least: 1 }),
      ],
    },
    {
      title: "Page", path: "competition", fields: [
        line("title", "Title"), text("introduction", "Introduction"), line("enterLabel", "Button", 60), link("waitlistLink", "Link to the waitlist"),
        line("stepsTitle", "Title of the steps"),
        list("steps", "Steps", "step", [
          line("title", "Title"), text("text", "Text"), line("when", "When", 60, { optional: true, hint: "Such as March 2-15." }),
          { ...choice("fact", "Or its date is that of", [{ value: "", label: "Nothing" }, { value: "deadline", label: "The photo deadline" }, { value: "awards", label: "The awards ceremony" }]), optional: true },
        ]),
        text("liveNote", "Note below the steps", 600, { optional: true }),
        line("prizesTitle", "Title of the prizes"), lines("prizes", "Prizes", "prize", { least: 0 }),
        line("juryTitle", "Title of the jury"), text("juryIntroduction", "Introduction of the jury", 600, { optional: true }),
      ],
    },
    {
      title: "How work is handed in", path: "competition.submission", note: "Used while the Artist Portal is closed.", fields: [
        text("how", "How", 300, { optional: true }), moment("from", "From", "A day, with or without a time."), moment("deadline", "Until", "The day is included."), day("announcedBy", "Told by", { optional: true, hint: "While there is no deadline: when you will tell them." }),
      ],
    },
    {
      title: "Judging", path: "judging", note: "A rubric is locked by the first score of its subcategory.", fields: [
        group("terms", "What judges accept", [line("version", "Version", 40, { hint: "A new one for every change of the text." }), text("text", "Text", 4000)]),
        list("scale", "What points mean", "step", [line("points", "Points", 10), line("text", "Meaning", 120)], { title: (member) => `${textOf(member.points)}: ${textOf(member.text)}` }),
        list("rubrics", "Rubrics", "rubric", [
          choice("category", "Category", categoriesOf), subcategory("subCategory", false),
          list("criteria", "Criteria", "criterion", criterion, { least: 1, title: (member) => `${textOf(member.label)}: ${textOf(member.max)}` }),
          { type: "choice", name: "step", label: "Steps of points", options: [{ value: "0.5", label: "Half points" }, { value: "1", label: "Whole points" }], numeric: true },
          number("minimumForPlaces", "Minimum nominations for places", 0, 100), number("thresholdPercent", "With fewer: percentage needed for a place", 0, 100),
          number("secondLookPoints", "Ask for a second look if points differ by", 0, 100, "Points from the panel's median. 0: nobody is asked."), number("penaltyCap", "Penalties at most", 0, 100),
          lines("tieOrder", "Keys of the criteria that break a tie", "key", { least: 0, longest: 40 }),
          list("penalties", "Penalties", "penalty", [line("label", "Label", 80), line("key", "Key", 40), number("max", "Points at most", 1, 100)]),
        ], { title: (member) => textOf(member.subCategory) }),
      ],
    },
  ],
};

const portal: Part = {
  name: "portal", title: "Artist Portal", about: "Where competitors hand in their photos: until when, and which photos.", page: "artist-portal",
  sections: [
    { title: "Portal", path: "portal", fields: [sample, flag("open", "The portal is open"), moment("deadline", "Deadline", "In event time. Needed while the portal is open."), flag("video", "A video may be handed in", { hint: "Besides the photos: MP4 or MOV, at most 2 minutes and 100 MB. The rules and the FAQ have texts of their own." })] },
    {
      title: "Photos", path: "portal", fields: [
        list("slots", "Photos", "photo", [
          choice("category", "Category", categoriesOf), subcategory("subCategory", true), line("label", "Name", 80), line("hint", "Hint", 200, { optional: true }),
          flag("required", "Required", { otherwise: true }), number("minPixels", "Pixels at least", 0, 10_000, "Of the longer side. 0: any size."),
          line("key", "Key", 40, { hint: "It must stay as it is once photos are there." }),
        ], { most: 200, title: (member) => `${textOf(member.label)} (${textOf(member.subCategory) || categoryText(textOf(member.category))})` }),
      ],
    },
    {
      title: "What competitors and models sign", path: "portal", fields: [
        list("ticks", "Competitors confirm", "sentence", [text("label", "Sentence", 300), line("key", "Key", 40)]),
        group("release", "Model release", [line("version", "Version", 40, { hint: "A new one for every change of the text." }), text("text", "Text", 4000)]),
      ],
    },
  ],
};

const door: Part = {
  name: "door", title: "Door", about: "What people are let in to, and what their tickets say.", page: "venue",
  sections: [
    {
      title: "Tickets", path: "door", fields: [
        group("bring", "What to bring", Object.entries(roles).map(([role, label]) => text(role, label, 600, { optional: true }))),
      ],
    },
    {
      title: "Lists", path: "door", fields: [
        list("lists", "Lists", "list", [
          line("label", "Label", 40), line("key", "Key", 40, { hint: keyHint }), day("day", "Day"),
          lines("roles", "Roles", "role", { least: 0, longest: 20 }),
        ], { title: (member) => textOf(member.label), hint: "Without any, people are let in on each day and to the gala." }),
      ],
    },
  ],
};

const winner: readonly Field[] = [line("award", "Award", 120, { optional: true }), line("name", "Name"), line("business", "Studio and city", 120, { optional: true })];
const winnerTitle = (member: Table) => [textOf(member.award), textOf(member.name)].filter(Boolean).join(": ");

const facts: Part = {
  name: "facts", title: "Facts and dates", about: "The event's name, its days, hours and figures.", page: "home",
  sections: [
    {
      title: "Name", path: "event", fields: [
        line("name", "Name"),
        line("shortName", "Short name", 40),
        line("tagline", "Tagline", 120, { hint: "The headline of the home page. Its last word is set apart." }),
        text("summary", "Summary", 300, { hint: "One sentence, for search engines and shared links." }),
      ],
    },
    {
      title: "Dates and hours", path: "event", note: "Texts that name a day do not change with these dates: search the other parts for them.", fields: [
        line("dates", "Dates as people read them", 80, { hint: "They must name the first day, the last day and the year: March 28-29, 2026" }),
        day("firstDay", "First day"),
        day("lastDay", "Last day"),
        time("opens", "Doors open"),
        time("closes", "Doors close"),
        line("hours", "Hours as people read them", 80),
        line("timeZoneLabel", "Name of the time zone", 40),
        list("days", "The days", "day", [line("label", "Label", 40), day("date", "Date"), line("theme", "Theme", 80), lines("points", "What happens", "point")],
          { least: 1, most: 10, title: (member) => [textOf(member.label), textOf(member.theme)].filter(Boolean).join(": ") }),
      ],
    },
    {
      title: "Place and figures", path: "event", fields: [
        line("city", "City", 80),
        line("region", "Region", 80),
        line("selectedProfessionals", "People chosen to take part", 80, { hint: "With the figure first: 125 hand-selected professionals" }),
        line("expectedProfessionals", "People expected to come", 80),
        line("arenaStations", "Stations", 80),
        line("vendorBooths", "Booths", 80),
      ],
    },
  ],
};

const about: Part = {
  name: "about", title: "About and organiser", about: "The About page, and the brand behind the event with the address on receipts.", page: "about",
  sections: [
    { title: "About page", path: "about", fields: [line("title", "Title"), text("introduction", "Introduction"), line("expectTitle", "Title of the list"), lines("expect", "What to expect", "point"), link("venueLink", "Link to the venue")] },
    {
      title: "Organisers", path: "about", fields: [
        line("organisersTitle", "Title"),
        list("organisers", "People", "organiser", [sample, line("name", "Name"), line("role", "Role"), text("bio", "About them"), picture("image", "Photo", [1, 1])], { least: 1 }),
        line("organisedByTitle", "Title of the brand"),
        text("organisedByText", "Text below it"),
      ],
    },
    {
      title: "The brand", path: "organiser", fields: [
        sample, line("name", "Name"),
        line("legalName", "Legal name", 120, { hint: "On receipts." }),
        text("description", "Description"),
        lines("address", "Address", "line", { hint: "On receipts, line by line.", most: 6, longest: 120 }),
        line("website", "Website", 300, { keyboard: "url" }),
        line("websiteLabel", "Website as people read it"),
      ],
    },
  ],
};

const pass: Part = {
  name: "pass", title: "Pass, prices and tax", about: "What the pass is, what it costs and until when, and the tax rates.", page: "home",
  sections: [
    {
      title: "Prices", path: "pricing", note: "Where a text has {price}, the current price stands there. Other texts that name a price do not change by themselves.", fields: [
        { type: "dollars", name: "participantFeeCents", label: "Priority price", least: 50, most: 10_000_000, hint: "The pass with one nomination, before tax." },
        { type: "dollars", name: "regularFeeCents", label: "Regular price", least: 50, most: 10_000_000, hint: "At least the priority price." },
        day("priorityDeadline", "Last day of the priority price"),
        { type: "choice", name: "afterDeadline", label: "From the day after", options: [{ value: "keep", label: "Keep the priority price" }, { value: "regular", label: "Charge the regular price" }] },
        { type: "amounts", name: "additionalCategoriesCents", label: "Additional categories", labels: ["One more category", "Two more categories together"], least: 50, most: 10_000_000 },
      ],
    },
    {
      title: "Tax", path: "pricing", fields: [
        list("taxLocations", "Rates by place", "place", [
          line("label", "Place", 80),
          line("value", "Key", 40, { hint: "Stored with every entry. Lowercase letters, digits and hyphens; “other” is every place that is not listed." }),
          { type: "percent", name: "rateBasisPoints", label: "Rate", least: 0, most: 2_500 },
        ], { least: 1, title: (member) => `${textOf(member.label)}: ${Number(member.rateBasisPoints) / 100}%` }),
      ],
    },
    {
      title: "The pass", path: "pass", fields: [
        line("name", "Name"),
        line("badge", "Badge", 40),
        line("priceNote", "Beside the price", 80),
        line("priceNoteAfter", "Beside the price, after the priority price", 80, { optional: true }),
        text("description", "Description"),
        line("buttonText", "Button", 80, { hint: "The price is added to it." }),
        line("waitlistButtonText", "Button while entries are closed", 80),
        list("features", "What is included", "feature", [line("text", "Text", 200), { type: "flag", name: "included", label: "Included" }], { least: 1, title: (member) => textOf(member.text) }),
        number("frontRowPlaces", "Front row places", 0, 100_000),
        text("frontRowNote", "Note about the front row"),
        { type: "flag", name: "addOnsOffered", label: "Offer additional categories" },
        list("addOns", "Additional categories", "text", [line("title", "Title"), text("text", "Text")], { least: 2, most: 2, hint: "The first is for one additional category, the second for two." }),
      ],
    },
  ],
};

const contact: Part = {
  name: "contact", title: "Contact and chat", about: "Email addresses, phone, chat and social media.", page: "contact",
  sections: [
    {
      title: "Contact", path: "contact", fields: [
        sample, line("heading", "Title"), text("introduction", "Introduction"),
        line("email", "Email", 200, { keyboard: "email" }), line("partnershipEmail", "Email for partners", 200, { keyboard: "email" }), line("phone", "Phone", 40, { keyboard: "tel" }),
      ],
    },
    {
      title: "Chat", path: "chat", fields: [
        sample,
        line("number", "WhatsApp number", 15, { keyboard: "tel", optional: true, hint: "Digits only, with the country code. Empty: no chat button." }),
        text("prefilledText", "First message", 300), line("tooltip", "What the button says"),
      ],
    },
    { title: "Social media", path: "", fields: [list("socialLinks", "Links", "link", [sample, line("label", "Name", 40), line("url", "Address", 300, { keyboard: "url", optional: true })])] },
  ],
};

const after: Part = {
  name: "after", title: "After the event", about: "What the site says once the event is over: thanks, winners, the next one.", page: "home",
  sections: [
    { title: "State of the site", path: "", fields: [{ type: "choice", name: "phase", label: "The event", options: [{ value: "before", label: "Is ahead: the site invites people" }, { value: "after", label: "Is over: the site thanks them and shows the winners" }], hint: "Once it is over, every form except the waitlist is closed." }] },
    {
      title: "Thanks and winners", path: "after", fields: [
        line("title", "Title"), text("text", "Text"), line("winnersTitle", "Title of the winners"),
        list("winners", "Winners", "winner", winner, { most: 200, title: winnerTitle }),
        line("nextTitle", "Title of the next event", 120, { optional: true }), text("nextText", "Text about the next event"),
      ],
    },
    {
      title: "Gallery", path: "after", note: "Photos of the event, shown once it is over.", fields: [
        line("galleryTitle", "Title", 80),
        list("gallery", "Photos", "photo", [picture("image", "Photo", [3, 2], "alt"), text("alt", "What the photo shows", 200), line("caption", "Caption", 160, { optional: true })], { title: (member) => textOf(member.caption) || textOf(member.alt) }),
      ],
    },
    {
      title: "Former editions", path: "after", note: "Their winners stay on the site.", fields: [
        list("past", "Editions", "edition", [line("title", "Title"), line("dates", "Dates", 80), list("winners", "Winners", "winner", winner, { most: 200, title: winnerTitle })], { most: 20 }),
      ],
    },
    {
      title: "Personal data", path: "after", fields: [
        number("eraseAfterDays", "Erase personal data after this many days", 0, 3_650, "Counted from the last day. Your start page then reminds you, with a button that erases everybody of this edition. 0: no reminder."),
      ],
    },
  ],
};

const search: Part = {
  name: "search", title: "Search engines", about: "The sentence that search engines and shared links show for each page.", page: "home",
  sections: [{
    title: "One sentence for each page", path: "descriptions", fields: ([
      ["home", "Home page"], ["about", "About"], ["competition", "Competition"], ["speakersJudges", "Speakers and judges"], ["sponsors", "Sponsors"], ["venue", "Venue"], ["schedule", "Schedule"], ["faq", "FAQ"],
      ["applySpeaker", "Apply as speaker"], ["applyJudge", "Apply as judge"], ["applySponsor", "Apply as sponsor"], ["applyProfessionalDemo", "Professional demo"], ["enterCompetition", "Enter the competition"],
      ["privacy", "Privacy"], ["terms", "Terms"], ["refundPolicy", "Refund policy"], ["contact", "Contact"],
    ] as const).map(([name, label]) => text(name, label, 300)),
  }],
};

const emails: Part = {
  name: "emails", title: "Emails", about: "What all emails have in common. The text of each one is in “Email texts”.", page: "home",
  sections: [
    {
      title: "Every email", path: "mail", fields: [
        line("greeting", "Greeting", 120, { hint: "{name} is the person's name." }),
        text("again", "To somebody who has written before", 400, { hint: "{kind} is what was sent, {date} when." }),
        line("signOff", "Sign-off"), line("signature", "Signature"), text("footer", "Footer", 300),
        { type: "flag", name: "notifyOrganiser", label: "Email the organiser about each registration" },
        { type: "flag", name: "remindUnpaid", label: "Remind people of an entry that is not paid, once" },
      ],
    },
    ...([
      ["speaker-applications", "Speaker applications"], ["judge-applications", "Judge applications"], ["sponsor-applications", "Sponsor applications"], ["professional-demo-registrations", "Professional demos"],
      ["competition-entries", "Competition entries"], ["waitlist-signups", "Waitlist signups"], ["sponsor-inquiries", "Sponsor inquiries"],
    ] as const).map(([kind, title]) => ({
      title, path: "mail", fields: [
        lines(`next.${kind}`, "What happens next", "point", { least: 0, most: 12, optional: true }),
        line(`promises.${kind}`, "When an answer is promised", 40, { optional: true, hint: "48 hours, 7 business days, or a day like 2026-02-15. Empty: nothing is promised." }),
      ],
    })),
  ],
};

const venue: Part = {
  name: "venue", title: "Venue and hotels", about: "The place, how to get there, and where to sleep.", page: "venue",
  sections: [
    {
      title: "Venue", path: "venue", fields: [
        sample, line("title", "Title of the page"), line("name", "Name of the venue"), text("introduction", "Introduction"), text("overview", "Overview", 2000),
        picture("image", "Photo", [3, 2], "alt"), text("alt", "What the photo shows", 200), link("waitlistLink", "Link to the waitlist"),
      ],
    },
    {
      title: "Address", path: "venue", fields: [
        lines("address", "Address as people read it", "line", { most: 6, longest: 120 }),
        line("street", "Street", 120, { hint: "For calendars and search engines." }), line("locality", "City", 80), line("state", "State", 40), line("postalCode", "ZIP code", 20, { optional: true }), line("country", "Country", 40),
        group("map", "Map", [
          sample, line("searchUrl", "Address of the map", 500, { optional: true, keyboard: "url", hint: "Empty: a search for the address above." }), line("searchLabel", "Button", 60),
          line("embedUrl", "Address of the map in the page", 500, { keyboard: "url", hint: "Begins with https://" }), line("embedTitle", "What the map shows"),
        ]),
      ],
    },
    { title: "Getting there", path: "venue", fields: [samples("transport", "Ways", "way"), group("parking", "Parking", [sample, line("title", "Title"), text("text", "Text")])] },
    {
      title: "Hotels", path: "venue", fields: [
        list("hotels", "Hotels", "hotel", [sample, line("name", "Name"), text("text", "Text", 300), number("minutesFrom", "Minutes by car, at least", 0, 600), number("minutesTo", "Minutes by car, at most", 0, 600), line("url", "Address", 300, { optional: true, keyboard: "url" })]),
        samples("nearby", "Nearby", "place"),
      ],
    },
    {
      title: "Inside", path: "venue", fields: [
        items("amenities", "Amenities", "amenity"), items("spaces", "Halls", "hall"),
        list("gallery", "Gallery", "picture", [line("title", "Title"), picture("image", "Photo", [1, 1], "alt"), text("alt", "What the picture shows", 200), drawing]),
      ],
    },
  ],
};

const faq: Part = {
  name: "faq", title: "FAQ", about: "Questions and their answers.", page: "faq",
  sections: [{
    title: "Questions", path: "faq", fields: [
      line("title", "Title"), text("introduction", "Introduction"),
      list("sections", "Sections", "section", [
        line("title", "Title"), line("id", "Key", 40, { hint: "In the page's address. Lowercase letters, digits and hyphens." }),
        list("items", "Questions", "question", [line("question", "Question", 200), text("answer", "Answer", 2000, { hint: "{price}, {prices} and {submission} stand for the current price, both prices, and how photos are handed in." })], { least: 1, most: 200, title: (member) => textOf(member.question) }),
      ], { least: 1 }),
    ],
  }],
};

const legalFields: readonly Field[] = [
  sample, line("title", "Title"), line("version", "Version", 40, { hint: "Stored with every agreement. Change it whenever you change the text." }), text("introduction", "Introduction"),
  items("sections", "Sections", "section", { least: 1 }), text("bindingNote", "Closing note", 600, { optional: true }),
];

const legal: Part = {
  name: "legal", title: "Rules and legal texts", about: "The rules of the competition, terms, privacy and refunds.", page: "terms",
  sections: [
    { title: "Competition rules", path: "competition", fields: [line("rulesTitle", "Title"), text("rulesIntroduction", "Introduction"), points("rules", "Rules", "group of rules")] },
    ...([
      ["photographyRelease", "Photography release"], ["speakerTerms", "Speaker terms"], ["judgeTerms", "Judge terms"], ["competitionTerms", "Competition terms"], ["demoTerms", "Demo terms"],
      ["sponsorTerms", "Sponsor terms"], ["privacy", "Privacy"], ["terms", "Terms of service"], ["refundPolicy", "Refund policy"],
    ] as const).map(([name, title]): Section => ({ title, path: `legal.${name}`, fields: legalFields })),
  ],
};

const slideFields = (more: readonly Field[]): readonly Field[] => [
  ...more, line("title", "Title"), text("description", "Text", 300), picture("image", "Photo", [1, 1], "alt"), text("alt", "What the picture shows", 200), drawing, line("id", "Key", 40, { hint: "Lowercase letters, digits and hyphens." }),
];

const home: Part = {
  name: "home", title: "Home page", about: "The start of the site: headline picture, cards, slides and invitations.", page: "home",
  sections: [
    { title: "Top of the page", path: "home.hero", fields: [text("introduction", "Introduction"), picture("image", "Photo", [4, 5], "alt"), text("alt", "What the picture shows", 200), links("buttons", "Buttons"), link("scheduleButton", "Button to the schedule")] },
    { title: "Cards", path: "home", fields: [list("cards", "Cards", "card", [line("title", "Title"), text("text", "Text"), link("link", "Link")], { least: 1, most: 6 }), card("sponsorsCard", "Card for sponsors")] },
    { title: "Categories", path: "home.carousel", fields: [line("title", "Title"), text("introduction", "Introduction"), link("button", "Button"), list("items", "Categories", "category", slideFields([]), { least: 1 })] },
    { title: "Slides", path: "home.slideshow", fields: [line("title", "Title"), text("introduction", "Introduction"), list("slides", "Slides", "slide", slideFields([line("category", "Category", 60)]), { least: 1 })] },
    {
      title: "Recognition", path: "home.recognition", fields: [
        line("title", "Title"), text("text", "Text"), lines("points", "Points", "point"), picture("image", "Photo of the ceremony", [12, 5], "alt"), text("alt", "What the photo shows", 200, { optional: true }),
      ],
    },
    { title: "Quotation", path: "home", fields: [group("quote", "Quotation", [text("text", "What she says"), line("name", "Name"), line("role", "Who she is")], { optional: true, hint: "A sentence of somebody who was there." })] },
    {
      title: "Invitations", path: "home", fields: [
        closing("closing", "End of the page"),
        group("waitlist", "Waitlist", [line("title", "Title"), text("text", "Text"), line("buttonLabel", "Button", 60), line("successTitle", "Thanks: title"), text("successText", "Thanks: text")]),
      ],
    },
  ],
};

const sponsors: Part = {
  name: "sponsors", title: "Sponsors", about: "The sponsors' logos, and how to become one.", page: "sponsors",
  sections: [
    {
      title: "Our sponsors", path: "sponsors", note: "Nothing is shown while the list is empty.", fields: [
        line("logosTitle", "Title", 80),
        list("logos", "Sponsors", "sponsor", [sample, line("name", "Name"), line("tier", "Tier", 40, { optional: true, hint: "Such as Gold." }), { ...picture("image", "Logo", [3, 2]), whole: true }, line("url", "Address", 300, { optional: true, keyboard: "url" })],
          { most: 100, title: (member) => [textOf(member.name), textOf(member.tier)].filter(Boolean).join(", ") }),
      ],
    },
    { title: "Page", path: "sponsors", fields: [line("title", "Title"), text("introduction", "Introduction"), link("applyLink", "Button to apply"), line("waysTitle", "Title of the ways"), items("ways", "Ways to take part", "way")] },
    {
      title: "Inquiry and contact", path: "sponsors", fields: [
        line("inquiryTitle", "Title of the inquiry"), text("inquiryText", "Text"), line("inquiryButtonLabel", "Button", 60), line("inquirySuccessTitle", "Thanks: title"), text("inquirySuccessText", "Thanks: text"),
        line("contactTitle", "Title of the contact"), text("contactText", "Text"), line("contactLabel", "Link", 80), line("contactSubject", "Subject of the email"),
        line("organiserTitle", "Title of the organiser"), line("organiserLinkLabel", "Link to the organiser", 80),
      ],
    },
  ],
};

const openings = [
  ["speaker-applications", "Speaker applications"], ["judge-applications", "Judge applications"], ["sponsor-applications", "Sponsor applications"], ["professional-demo-registrations", "Professional demos"],
  ["competition-entries", "Competition entries"], ["waitlist-signups", "Waitlist signups"], ["sponsor-inquiries", "Sponsor inquiries"],
] as const;

const formTexts: readonly Field[] = [
  line("title", "Title"), text("introduction", "Introduction"), text("note", "Note", 400), line("submitLabel", "Button", 60), line("successTitle", "Thanks: title"), text("successText", "Thanks: text"),
];
const applyTexts: readonly Field[] = [...formTexts, items("tiles", "Tiles", "tile", { most: 8 }), line("nextTitle", "Title of what happens next", 120, { optional: true }), lines("next", "What happens next", "point", { least: 0 })];

const forms: Part = {
  name: "forms", title: "Openings and forms", about: "When each form is open, and the texts around it.", page: "enter-competition",
  sections: [
    ...openings.map(([kind, title]): Section => ({
      title, path: `openings.${kind}`, fields: [
        flag("open", "Open", { otherwise: true, hint: "Within the days below, if there are any." }),
        moment("from", "From", "In event time. Empty: at once."), moment("until", "Until", "In event time; a day is included. Empty: without an end."),
        text("message", "What visitors read while it is closed", 500, { optional: true }),
      ],
    })),
    ...([["speaker", "Speaker form"], ["judge", "Judge form"], ["sponsor", "Sponsor form"], ["demo", "Demo form"]] as const).map(([name, title]): Section => ({ title, path: `apply.${name}`, fields: applyTexts })),
    {
      title: "Entry form", path: "apply.entry", fields: [
        ...formTexts, text("attendNote", "For people who only want to attend", 400, { optional: true }), text("rulesNotice", "Notice about the rules", 400), link("rulesLink", "Link to the rules"), line("categoriesTitle", "Title of the categories"),
        line("paymentTitle", "Payment: title"), text("paymentNote", "Payment: note", 400), text("paymentClosed", "Payment: not open yet", 400), line("returnLabel", "Button back", 60),
      ],
    },
  ],
};

/** The pages of the editor, in the order of its menu. */
export const parts: readonly Part[] = [facts, people, schedule, venue, faq, legal, pass, categories, portal, door, home, sponsors, about, contact, forms, emails, after, search];
