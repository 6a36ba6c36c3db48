import { timeOfDay } from "../../shell/event-time";
import { card, choice, closing, day, flag, group, line, lines, link, list, moment, number, picture, sample, tablesOf, text, textOf, time, type Field, type ListField, type Part, type Table } from "./field";
import type { Option } from "../../../kit/select";

const keyHint = "Lowercase letters, digits and hyphens.";

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

const drawings = ["classic", "volume", "creative-lashes", "lash-lift", "lamination", "creative-brows", "natural-glam", "editorial", "breakfast", "live-lashes", "talks", "arena", "products", "live-brows", "business", "awards", "gala", "lake", "skyline", "hours"];
/** The drawing shown while there is no photo. */
export const drawing = choice("art", "Drawing", drawings.map((name) => ({ value: name, label: name.replace("-", " ") })), "Shown while there is no photo.");

export const profileFields: readonly Field[] = [
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

export const people: Part = {
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

export const schedule: Part = {
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

const subcategory = (name: string, any: boolean) => choice(name, "Subcategory", (content, of) => [...(any ? [{ value: "", label: "All of them" }] : []), ...subcategoriesOf(content, textOf(of.category))]);
const criterion: readonly Field[] = [line("label", "Label", 80), line("key", "Key", 40, { hint: keyHint }), text("fullMarks", "What full marks need", 300), number("max", "Points at most", 1, 100)];

export const categories: Part = {
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
          choice("method", "Points of the panel", [{ value: "mean", label: "Mean of all judges" }, { value: "drop", label: "Without the highest and lowest, from five judges" }]),
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

export const portal: Part = {
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
