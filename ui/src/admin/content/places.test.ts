import { expect, it } from "vitest";
import { sampleInput } from "../../../test/sample-input";
import type { Table } from "./field-types";
import { differenceText, withArticle, withLabels, placeOf } from "./places";
import { namesOneOf, oldDays } from "./text-search";

const content = sampleInput.content as unknown as Table;
const text = (path: string) => placeOf(path, content)?.labels.join(" › ");

it.for([
  ["event.tagline", "Facts and dates › Tagline"],
  ["people.groups[0].profiles[1].name", "People › Featured Speakers › Featured Speaker Two, Brow Artist › Name"],
  ["schedule.days[0].items[2].start", "Schedule › Day 1: Compete & Learn › 10:45 AM  Speaker session 1 › Starts"],
  ["openings.waitlist-signups.until", "Openings and forms › Waitlist signups › Until"],
  ["pricing.additionalCategoriesCents[1]", "Pass, prices and tax › Additional categories › Two more categories together"],
  ["mail.next.speaker-applications[0]", "Emails › Speaker applications › What happens next › point 1"],
  ["event.demoDay", undefined],
])("finds the place of %s", ([path, expected]) => {
  expect(text(path as string)).toBe(expected);
});

it("says what has changed as a person reads it", () => {
  const said = (path: string, before: string | number | boolean | null, value: string | number | boolean | null) => {
    const { before: was, after } = differenceText({ kind: "changed", path, before, value }, placeOf(path, content)?.field);
    return `${was} to ${after}`;
  };
  expect(said("pricing.participantFeeCents", 44900, 39950)).toBe("$449.00 to $399.50");
  expect(said("pricing.priorityDeadline", "2025-09-25", "2025-10-05")).toBe("September 25, 2025 to October 5, 2025");
  expect(said("openings.competition-entries.until", null, "2026-02-01 18:00")).toBe("nothing to February 1, 2026, 6:00 PM");
  expect(said("openings.competition-entries.open", true, false)).toBe("Yes to No");
  expect(said("pricing.afterDeadline", "keep", "regular")).toBe("Keep the priority price to Charge the regular price");
  expect(differenceText({ kind: "moved", path: "faq.sections[0].items[4]", from: 2, value: {} }, undefined)).toEqual({ done: "Moved from place 3 to 5" });
  const place = placeOf("people.groups[0].profiles[1]", content);
  expect(differenceText({ kind: "removed", path: "people.groups[0].profiles[1]", before: { name: "Ana Lima", role: "" } }, place?.field)).toEqual({ done: "Removed", before: "Ana Lima" });
});

it.for([["question", "a question"], ["organiser", "an organiser"], ["award", "an award"]])("puts an article before %s", ([noun, expected]) => {
  expect(withArticle(noun as string)).toBe(expected);
});

it("names fields by their labels in the checker's sentences", () => {
  expect(withLabels("must not be before event.first_day", "event.lastDay")).toBe("Must not be before “First day”.");
  expect(withLabels("must not be lower than pricing.participant_fee_cents", "pricing.regularFeeCents")).toBe("Must not be lower than “Priority price”.");
  expect(withLabels("must not be less than minutes_from", "venue.hotels[0].minutesTo")).toBe("Must not be less than “Minutes by car, at least”.");
  expect(withLabels("this text must not be empty", "event.name")).toBe("This text must not be empty.");
});

it("finds the texts that still name a day which has moved", () => {
  const days = oldDays([
    { kind: "changed", path: "event.days[0].date", before: "2026-03-28", value: "2026-03-29" },
    { kind: "removed", path: "event.days[1]", before: { date: "2026-03-29", label: "Day 2" } },
    { kind: "changed", path: "portal.deadline", before: "2026-03-02 23:59", value: "2026-03-01 23:59" },
    { kind: "changed", path: "event.tagline", before: "On March 9", value: "Soon" },
  ]);
  expect(days, "March 29 is now the first day").toEqual(["2026-03-28", "2026-03-02"]);
  const isOld = namesOneOf(days);
  expect(["March 28–29, 2026", "until March 2.", "2026-03-28", "On March 29", "March 20", "March 1", "28 people"].map(isOld)).toEqual([true, true, true, false, false, false, false]);
  expect(["March 28", ""].map(namesOneOf([]))).toEqual([false, false]);
});
