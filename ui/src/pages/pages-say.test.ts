import { createElement, type ComponentType } from "react";
import { renderToString } from "react-dom/server.edge";
import { describe, expect, it } from "vitest";
import { Router } from "wouter";
import { pageOf } from "../../test/page-of";
import { sampleInput } from "../../test/sample-input";
import type { PageInput } from "../lib/page";
import type { PageName } from "../app/pages";
import { shellOf } from "../app/shell-data";
import { ShellContext, type Shell } from "../lib/shell-context";

const home = await pageOf("home");
const competition = await pageOf("competition");
const schedule = await pageOf("schedule");
const speakersJudges = await pageOf("speakers-judges");
const venue = await pageOf("venue");
const enterCompetition = await pageOf("enter-competition");

/** Texts that each page must have with the built-in content, in this order. */
// Every page uses the same sentence for competing live or online.
it.each(["home", "competition", "faq"] as const)("%s says how entries are submitted and judged", async (name) => {
  const page = await pageOf(name);
  expect(JSON.stringify(page.data(sampleInput))).toContain("Entries are submitted online before the event and judged remotely, by the published rubric of their category.");
});

const said: [PageName, string[]][] = [
  ["home", [
    "March 28-29, 2026", "Jersey City, NJ", "The Global Lash & Brow Showcase + Championship",
    "All-Access Pass", "View Full Schedule", "Speaker", "Judge", "Sponsor", "9:30 AM to 8:00 PM",
    "500+ professionals", "Become a sponsor",
    "Compete & Learn", "Education panels and workshops", "Competitions across lash and brow categories", "Networking", "Breakfast and lunch",
    "Celebrate & Shine", "Live demos", "VIP spotlights", "Awards gala dinner", "Live entertainment",
    "Competition Categories",
    "Lash Extensions", "Volume & Classic Techniques", "Lash Lift", "Enhancement & Natural Curl",
    "Makeup Artistry", "Natural Glam & Editorial Creative", "Brow Artistry", "Lamination & Creative Styling", "Enter Competition",
    "Recognition", "Networking", "Live Demo", "Education", "Competition", "Products", "Live Demo", "Education", "Awards", "Networking",
    "ENTER COMPETITION", "Elite All-Access Pass",
    "8 AM-8 PM", "1 competition nomination", "Continental breakfast, buffet lunch and awards dinner", "All live demonstrations and panels",
    "Swag bag", "Networking with 500+ professionals", "Judging by an elite panel", "Brand integration during main stage segments",
    "$449", "$749", "Priority Price Until Sep 25", "+$99", "+$179", "Three nominations in all, with front row VIP seating",
    "The first 20 people with 2+ nominations (two or more categories) get a guaranteed front row seat at the awards ceremony",
    "Register for All-Access Pass - $449",
    "Registration ends once the right speakers, artists and partners are chosen.",
    "Register for All-Access Pass", "Apply for Professional Demo", "Join the waitlist",
  ]],
  ["about", [
    "125 hand-selected professionals", "March 28-29, 2026", "Lakeside Venue", "Jersey City, NJ", "New York metro area", "125 hand-selected professionals",
    "What to Expect", "20 stations", "30+ vendor booths", "See the venue",
    "Organizers", "CEO/Organizer", "Founder/Organizer", "Organizer", "Organized By", "brow-services brand",
  ]],
  ["competition", [
    "Join the waitlist",
    "Lash Extensions - Volume", "Lash Extensions - Creative", "Lash Extensions - Classic", "Lash Lift",
    "Brows - Lamination", "Brows - Creative", "Makeup - Natural Glam", "Makeup - Editorial/Creative",
    "Competition Rules", "original work of the registered competitor", "Up to three categories", "One model per entry", "model release",
    "A judge cannot also compete", "High-quality photos", "one optional video of up to 2 minutes", "No excessive editing and no beautification filters",
    "at least 3 angles of the final look", "before and after images", "Late entries are considered only with prior approval",
    "new submission when material is low in resolution or over-processed", "rubric", "Judges' decisions are final",
    "Arrive 30 minutes early", "model releases",
  ]],
  ["speakers-judges", [
    "Featured Speakers", "@speaker-one", "@speaker-two", "@speaker-three", "Apply to Speak",
    "Competition Judges", "@head-judge", "Coming Soon", "Apply to Judge",
    "Live Work Demonstrator", "@demonstrator-one", "@demonstrator-two", "Coming Soon",
    "Business Speakers", "Coming Soon", "Share Your Business Expertise?", "Apply to Speak", "Apply to Speak", "Apply to Judge",
  ]],
  ["sponsors", ["Organize Your Event", "500+ lash and brow professionals", "Write to our partnership team", "500+ professionals", "Visit the organizer's site"]],
  ["venue", [
    "Lakeside Venue", "Address", "Event hours", "9:30 AM to 8:00 PM", "Overview and amenities",
    "Professional lighting", "High-speed WiFi", "Catering", "Valet parking", "Event spaces", "Show the map", "Public transport", "Parking", "Valet parking",
    "Recommended hotels", "5-10 minutes", "10-15 minutes", "10-20 minutes", "20-25 minutes", "30-45 minutes", "Nearby amenities",
  ]],
  ["schedule", [
    "tentative", "Day 1", "Compete & Learn", "March 28",
    ...["10:45 AM - 11:05 AM", "11:05 AM - 11:25 AM", "11:25 AM - 11:45 AM", "11:45 AM - 12:05 PM", "12:05 PM - 12:25 PM", "12:25 PM - 12:45 PM", "12:45 PM - 1:05 PM"]
      .flatMap((time, index) => [time, `Speaker session ${index + 1}`, "20 minutes"]),
    "2:00 PM", "Lunch", "3:10 PM",
    ...[1, 2, 3, 4, 5, 6].flatMap((number) => [`Live demo ${number}`, "Demonstrator to be announced"]),
    "Day 2", "Celebrate & Shine", "March 29", "10:00 AM - 1:00 PM", "Education block", "1:00 PM", "Lunch",
    "3:00 PM - 6:00 PM", "Awards ceremony and judges panel", "3 judges", "6:00 PM - 8:00 PM", "Gala dinner",
    "Important Notes", "The schedule is tentative",
    "Award categories", "Lash Lift", "Lash Extension", "Brow Lamination", "Makeup", "Business Award",
  ]],
  ["faq", [
    "Contact Us", "General Event Info", "We select 125 professionals to take part and expect 500+ professionals",
    "Competition", "Speakers & Judges", "February 15th, 2026", "Sponsorship & Swag Bag", "48 hours",
    "Payment & Policies", "$449.00", "$749", "$99.00", "$179.00", "valid only upon full payment", "non-refundable once submitted", "full refund",
    "at least 14 days' notice", "prior written notice, subject to approval", "forfeited without refund", "Day-of-Event", "30 minutes early: the side entrance is open for you and for vendors from 8:00 AM",
  ]],
  ["apply-speaker", ["Apply as Speaker", "rolling basis", "February 15th, 2026"]],
  ["apply-judge", ["Apply as Judge", "rolling basis", "February 15th, 2026"]],
  ["apply-sponsor", [
    "Sponsor Application", "500+ attendees", "Live demos", "Award categories", "Media coverage", "48 hours",
    "Company Information", "Sponsorship Details", "Marketing Information", "Terms & Agreements",
  ]],
  ["apply-professional-demo", [
    "Personal Information", "Business Information", "Experience & Expertise", "Demo Details", "Portfolio & Previous Experience", "Legal Agreements",
    "What Happens Next?", "5-7 business days", "experience, expertise, demo quality and audience appeal", "event and setup information", "scheduled across both event days",
  ]],
  ["enter-competition", [
    "Enter the Competition", "Priority registration deadline: September 25, 2025. Regular price $749.", "Competition rules", "Lash Extensions", "Volume, Creative", "Brows", "Lamination, Creative", "Lash Lift", "Makeup", "Natural Glam, Editorial/Creative",
  ]],
];

it.each(said)("%s", async (name, phrases) => {
  const { data, View } = await pageOf(name);
  const text = textOf(createElement(Router, { ssrPath: "/", children: createElement(ShellContext, { value: shell }, createElement(View, { data: data(sampleInput) })) }));
  let from = 0;
  for (const phrase of phrases) {
    const at = text.indexOf(phrase, from);
    expect(at, `"${phrase}" after "${text.slice(Math.max(0, from - 60), from)}"`).toBeGreaterThanOrEqual(0);
    from = at + phrase.length;
  }
});

it("home shows only the regular price once it applies", () => {
  const input = { ...sampleInput, site: { ...sampleInput.site, participantFeeCents: 74900 } };
  const page = createElement(home.View, { data: home.data(input) });
  const text = textOf(createElement(Router, { ssrPath: "/", children: createElement(ShellContext, { value: shell }, page) }));
  expect(text).toContain("Register for All-Access Pass - $749");
  for (const gone of ["$449", "Regular price", "Priority Price"]) expect(text).not.toContain(gone);
});

it("home thanks visitors and names the winners after the event, and no longer invites anybody to enter", () => {
  const winners = [{ award: "Lash Lift", name: "Ana", business: "Studio Uno" }];
  const content = { ...sampleInput.content, phase: "after" as const, after: { ...sampleInput.content.after, winners } };
  const page = createElement(home.View, { data: home.data({ ...sampleInput, content }) });
  const html = renderToString(createElement(Router, { ssrPath: "/", children: createElement(ShellContext, { value: shell }, page) }));
  expect(html).toMatch(/<h1[^>]*><em>Thank you<\/em><\/h1>/);
  expect(html).toMatch(/<dd[^>]*>Ana<\/dd><dd[^>]*>Studio Uno<\/dd>/);
  for (const gone of ["to compete, learn", "four ways in", "Enter Competition", "$449", "nomination is part", "Become a sponsor"]) expect(html).not.toContain(gone);
});

describe("photos of people and their work", () => {
  const image = { srcSet: "/images/a.webp 1w", src: "/images/a.webp", width: 1, height: 1, alt: "" };
  const { content } = sampleInput;
  const filled: PageInput = {
    ...sampleInput,
    content: {
      ...content,
      people: {
        ...content.people,
        groups: content.people.groups.map((group) => (group.type === "judge" ? { ...group, profiles: group.profiles.map((profile) => ({ ...profile, image })) } : group)),
      },
      home: { ...content.home, recognition: { ...content.home.recognition, image, alt: "The stage" }, quote: { text: "I would go again.", name: "Ana", role: "Lash artist" } },
      competition: { ...content.competition, cards: content.competition.cards.map((card) => ({ ...card, image, alt: `Work: ${card.label}` })) },
    },
  };
  const html = (page: unknown, input: PageInput) => {
    const { data, View } = page as { data: (input: PageInput) => unknown; View: ComponentType<{ data: unknown }> };
    return renderToString(createElement(Router, { ssrPath: "/", children: createElement(ShellContext, { value: shell }, createElement(View, { data: data(input) })) })).replaceAll("<!-- -->", "");
  };

  it("are shown where the content has them", () => {
    const start = html(home, filled);
    for (const shown of ["The jury", 'alt="Head Judge"', "Lash and Brow Judge", 'alt="The stage"', "<blockquote>I would go again.</blockquote>", "<strong>Ana</strong>, Lash artist"]) expect(start).toContain(shown);
    // A judge who is not announced yet is left out.
    expect(start).not.toContain("Coming Soon");
    const entries = html(competition, filled);
    for (const shown of ["The jury", 'alt="Head Judge"', 'alt="Work: Lash Lift"']) expect(entries).toContain(shown);
    expect(entries).not.toMatch(/class="drawing"[^>]*volume/);
  });

  it("leave no empty section where the content has none", () => {
    for (const page of [html(home, sampleInput), html(competition, sampleInput)]) expect(page).not.toMatch(/jury|ceremony-picture|blockquote|quotation/i);
  });

  it("are linked from the schedule", () => {
    const times = html(schedule, sampleInput);
    expect(times).toContain('<a href="/speakers-judges#person-speaker-one">Featured Speaker One</a>, Lash Educator');
    const people = html(speakersJudges, sampleInput);
    for (const [, anchor] of times.matchAll(/speakers-judges#([\w-]+)/g)) expect(people).toContain(`<li id="${anchor}"`);
    const leaving = content.people.groups.map((group) => ({ ...group, profiles: group.profiles.map((profile) => ({ ...profile, comingSoon: true })) }));
    expect(html(schedule, { ...sampleInput, content: { ...content, people: { ...content.people, groups: leaving } } })).not.toContain("person-");
  });
});

it.each([["venue", venue], ["competition", competition], ["home", home]])("%s says that the waitlist is closed", (_, page) => {
  const { data, View } = page as { data: (input: PageInput) => unknown; View: ComponentType<{ data: unknown }> };
  const openings = { ...shell.openings, "waitlist-signups": { open: false, message: "Full." } };
  const { closedPaths } = shellOf({ ...sampleInput, site: { ...sampleInput.site, openings } });
  const html = renderToString(createElement(Router, { ssrPath: "/", children: createElement(ShellContext, { value: { ...shell, openings, closedPaths } }, createElement(View, { data: data(sampleInput) })) }));
  const links = html.match(/<a [^>]*href="\/?#waitlist".*?<\/a>/g) ?? [];
  expect(links.length).toBeGreaterThan(0);
  for (const link of links) expect(link).toContain("Closed");
});

it("the entry page links to the waitlist for people who do not compete, while it is open", () => {
  const html = (shellNow: Shell, input: PageInput) =>
    renderToString(createElement(Router, { ssrPath: "/", children: createElement(ShellContext, { value: shellNow }, createElement(enterCompetition.View, { data: enterCompetition.data(input) })) })).replace(/ data-props="[^"]*"/, "");
  const paid: PageInput = { ...sampleInput, site: { ...sampleInput.site, payments: "demo" } };
  const sentence = /Only want to attend\?.*?<a href="\/#waitlist">Join the waitlist<\/a>/;
  expect(html(shell, paid)).toMatch(sentence);
  const openings = { ...shell.openings, "waitlist-signups": { open: false, message: "Full." } };
  expect(html({ ...shell, openings }, paid)).not.toContain("Only want to attend?");
  const { content } = sampleInput;
  const silent = { ...paid, content: { ...content, apply: { ...content.apply, entry: { ...content.apply.entry, attendNote: "" } } } };
  expect(html(shell, silent)).not.toContain('href="/#waitlist"');
});

it("home offers no closed waitlist in place of closed entries", () => {
  const closed = { open: false, message: "Full." };
  const openings = { ...shell.openings, "waitlist-signups": closed, "competition-entries": closed };
  const page = createElement(home.View, { data: home.data(sampleInput) });
  const html = renderToString(createElement(Router, { ssrPath: "/", children: createElement(ShellContext, { value: { ...shell, openings } }, page) }));
  expect(html).not.toContain("Secure My Spot on Waitlist");
});

const shell: Shell = {
  name: "Showcase", shortName: "Showcase", dates: "", city: "", email: "hello@example.com", demo: null, offer: null, footnote: "",
  chat: null, socials: [], openings: sampleInput.site.openings, closedPaths: [],
};

/** The visible text of an element, with white space collapsed. */
function textOf(element: Parameters<typeof renderToString>[0]): string {
  const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'" };
  return renderToString(element)
    .replace(/<!-- -->/g, "")
    .replace(/<\/?(?:em|strong|s|a|span|wbr)\b[^>]*>/g, "")
    .replace(/<[^>]*>/g, " ")
    .replace(/&(amp|lt|gt|quot|#x27);/g, (_, name: string) => entities[name] ?? "")
    .replace(/\s+/g, " ");
}
