import { day, line, lines, link, list, number, picture, sample, text, textOf, time, type Field, type Part, type Table } from "./field";

const winner: readonly Field[] = [line("award", "Award", 120, { optional: true }), line("name", "Name"), line("business", "Studio and city", 120, { optional: true })];
const winnerTitle = (member: Table) => [textOf(member.award), textOf(member.name)].filter(Boolean).join(": ");

export const facts: Part = {
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

export const about: Part = {
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

export const pass: Part = {
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

export const contact: Part = {
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

export const after: Part = {
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

export const search: Part = {
  name: "search", title: "Search engines", about: "The sentence that search engines and shared links show for each page.", page: "home",
  sections: [{
    title: "One sentence for each page", path: "descriptions", fields: ([
      ["home", "Home page"], ["about", "About"], ["competition", "Competition"], ["speakersJudges", "Speakers and judges"], ["sponsors", "Sponsors"], ["venue", "Venue"], ["schedule", "Schedule"], ["faq", "FAQ"],
      ["applySpeaker", "Apply as speaker"], ["applyJudge", "Apply as judge"], ["applySponsor", "Apply as sponsor"], ["applyProfessionalDemo", "Professional demo"], ["enterCompetition", "Enter the competition"],
      ["privacy", "Privacy"], ["terms", "Terms"], ["refundPolicy", "Refund policy"], ["contact", "Contact"],
    ] as const).map(([name, label]) => text(name, label, 300)),
  }],
};

export const emails: Part = {
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

