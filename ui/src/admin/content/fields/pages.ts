import { card, closing, flag, group, items, line, lines, link, links, list, moment, number, picture, points, sample, samples, text, textOf, type Field, type Part, type Section } from "./field";
import { drawing } from "./program";

export const venue: Part = {
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

export const faq: Part = {
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

export const legal: Part = {
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

export const home: Part = {
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

export const sponsors: Part = {
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

export const forms: Part = {
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
