import { expect, it, vi } from "vitest";
import { minLength, object, pipe, string, transform, trim } from "valibot";
import rules from "../../../../src/forms/rules.json";
import { sampleInput } from "../../../test/sample-input";
import { kinds } from "../../lib/page";
import { adminSections } from "../../app/routes";
import { ApiError } from "../../lib/api-error";
import { browserOf } from "../access/access";
import { ageOf } from "../backups/backups";
import { niceTop } from "../overview/by-day";
import { dayName, eventClock, plusDays, timeOfDay, weeklyTime } from "./event-time";
import { foundText } from "./search";
import { formLabels } from "./admin-data.server";
import { kindLabels } from "./kinds";
import { menu, sectionNames } from "./sections";
import { formatBytes, formatCount } from "./numbers";
import { categoriesOf, textOf } from "./values";
import { runConfirmed } from "./password-prompt";
import { addKeeper, findUnsaved, forgetUnsaved } from "./unsaved";
import { resolverOf } from "./use-form";
import { versioned } from "./versioned";

const clock = eventClock("America/New_York");

it("reads instants in event time, on both sides of the change to summer time", () => {
  expect(clock.short("2026-03-08T06:59:00.000Z")).toBe("Mar 8, 1:59 AM");
  expect(clock.short("2026-03-08T07:00:00.000Z")).toBe("Mar 8, 3:00 AM");
  expect(clock.day("2026-03-28T03:30:00.000Z")).toBe("2026-03-27");
  expect(clock.long("2026-03-28T13:30:00.000Z")).toBe("Saturday, March 28, 2026 at 9:30 AM");
});

it("counts days across months and leap years", () => {
  expect(plusDays("2026-02-27", 2)).toBe("2026-03-01");
  expect(plusDays("2028-03-01", -1)).toBe("2028-02-29");
  expect([dayName("2026-03-08"), timeOfDay("09:00"), timeOfDay("13:05"), timeOfDay("Monday")]).toEqual(["Mar 8", "9:00 AM", "1:05 PM", "Monday"]);
  expect(["Mon 09:00", "sunday 13:30", "whenever"].map(weeklyTime)).toEqual(["Monday at 9:00 AM", "Sunday at 1:30 PM", "whenever"]);
});

it("tells ages, sizes and browsers as a person would", () => {
  const now = Date.parse("2026-03-10T12:00:00Z");
  expect(["2026-03-10T11:59:50Z", "2026-03-10T11:59:00Z", "2026-03-10T10:20:00Z", "2026-03-09T12:00:00Z", "2026-03-01T12:00:00Z"].map((at) => ageOf(at, now))).toEqual(["Less than a minute", "1 minute", "2 hours", "24 hours", "9 days"]);
  expect([10, 1536, 2_500_000].map(formatBytes)).toEqual(["1 KB", "2 KB", "2.5 MB"]);
  expect(browserOf("Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0")).toBe("Firefox on Windows");
  expect(browserOf("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile Safari/604.1")).toBe("Safari on iPhone");
  expect([browserOf(null), browserOf("scripted/1")]).toEqual(["Unknown client", "scripted/1"]);
});

it("has an address for each section", () => {
  expect([...adminSections]).toEqual(sectionNames);
});

it("has every list and section once in the menu", () => {
  expect(menu.flatMap(({ entries }) => entries.flatMap(({ pages }) => pages)).sort()).toEqual([...kinds, ...sectionNames].sort());
});

it("gives the plot a top that halves", () => {
  expect([0, 1, 3, 10, 11, 45, 99, 101, 1234].map(niceTop)).toEqual([2, 2, 4, 10, 20, 60, 100, 200, 2000]);
  expect([0, 999, 1000, 1234567].map(formatCount)).toEqual(["0", "999", "1,000", "1,234,567"]);
});

it("knows the kinds, and the keys of their counts, that the rules of the forms have", () => {
  expect(kinds.map((kind) => [kind, kindLabels[kind].summaryKey])).toEqual(rules.forms.map((form) => [form.kind, form.summaryKey]));
});

it("speaks of each kind with fields that its form has", () => {
  for (const kind of kinds) {
    const form = formLabels(kind, sampleInput.content);
    const names = form.sections.flatMap((section) => section.fields.map((field) => field.name));
    expect([...names, "paymentAmount", "paidAt"]).toEqual(expect.arrayContaining([kindLabels[kind].name, ...kindLabels[kind].columns]));
  }
});

it("says what was chosen in the words of the form and of the event", () => {
  const fields = formLabels("competition-entries", sampleInput.content).sections.flatMap((section) => section.fields);
  const words = (name: string, value: unknown) => textOf(fields.find((field) => field.name === name)!, value);
  expect(words("primaryCategory", "lash-lift")).toBe("Lash Lift");
  expect(words("taxLocation", "new-jersey")).toBe("New Jersey");
  expect(words("taxLocation", "elsewhere")).toBe("elsewhere");
  expect(words("agreementTerms", true)).toBe("Yes");
  expect(words("additionalCategories", 0)).toBe("0");
  expect(words("portfolio", null)).toBeUndefined();
});

it("names every category of an entry, with its subcategory", () => {
  const names = { "lash-lift": "Lash Lift", brows: "Brows" };
  const entry = { id: 1, createdAt: "", status: "new", primaryCategory: "lash-lift", subCategory: "Standard Lash Lift", additionalCategory1: "brows", additionalCategory1Sub: "Creative", additionalCategory2: null, additionalCategory2Sub: null };
  expect(categoriesOf(entry, names)).toEqual(["Lash Lift", "Brows - Creative"]);
  expect(categoriesOf({ ...entry, additionalCategory2: "nails", additionalCategory2Sub: null }, names)).toEqual(["Lash Lift", "Brows - Creative", "nails"]);
});

it("says how many people a search found", () => {
  expect([foundText(0, "zoe"), foundText(1, "zoe"), foundText(50, "zoe")]).toEqual(["Nobody found for \"zoe\".", "1 found", "The newest 50. Type more to narrow it."]);
});

const refused = (body: object) => new ApiError(403, "Forbidden", JSON.stringify(body));
const wanted = refused({ detail: "Please enter your password to continue.", code: "password_required" });

it("runs a task once if the password is not required", async () => {
  const [task, ask] = [vi.fn(async () => 7), vi.fn(async () => {})];
  expect(await runConfirmed(task, ask)).toBe(7);
  expect([task.mock.calls.length, ask.mock.calls.length]).toEqual([1, 0]);
});

it("asks for the password if the server requires it, and runs the task again", async () => {
  const task = vi.fn<() => Promise<string>>().mockRejectedValueOnce(wanted).mockResolvedValueOnce("done");
  const ask = vi.fn(async () => {});
  expect(await runConfirmed(task, ask)).toBe("done");
  expect([task.mock.calls.length, ask.mock.calls]).toEqual([2, [[wanted]]]);
});

it("throws other refusals, and the server's refusal if the prompt is cancelled", async () => {
  const other = refused({ detail: "This request came from another site." });
  const ask = vi.fn(async (refusal: ApiError) => Promise.reject(refusal));
  await expect(runConfirmed(() => Promise.reject(other), ask)).rejects.toBe(other);
  expect(ask).not.toHaveBeenCalled();
  await expect(runConfirmed(() => Promise.reject(wanted), ask)).rejects.toBe(wanted);
});

it("names what could not be saved, each once, and forgets it", async () => {
  let left = true;
  const forget = () => void (left = false);
  const remove = [
    addKeeper({ what: "changes to the website", isLeft: async () => left, forget }),
    addKeeper({ what: "changes to the website", isLeft: () => true, forget: () => {} }),
    addKeeper({ what: "a decision", isLeft: () => left, forget }),
    addKeeper({ what: "nothing", isLeft: async () => false, forget: () => {} }),
  ];
  expect(await findUnsaved()).toEqual(["changes to the website", "a decision"]);
  forgetUnsaved();
  expect(await findUnsaved()).toEqual(["changes to the website"]);
  for (const one of remove) one();
  expect(await findUnsaved()).toEqual([]);
});

const schema = object({ name: pipe(string(), trim(), minLength(1, "Please enter a name."), minLength(2, "Too short.")), cents: pipe(string(), transform(Number)) });
const resolve = (values: { name: string; cents: string }) => resolverOf(schema)(values, undefined, { fields: {}, shouldUseNativeValidation: false });

it("gives the schema's output when every field is right", async () => {
  expect(await resolve({ name: " Ines ", cents: "99" })).toEqual({ values: { name: "Ines", cents: 99 }, errors: {} });
});

it("gives the first message for a wrong field", async () => {
  expect(await resolve({ name: " ", cents: "99" })).toEqual({ values: {}, errors: { name: { type: "min_length", message: "Please enter a name." } } });
});

it("reads the tag of an answer that a proxy has compressed as the one that the server gave it", async () => {
  for (const tag of ['"7"', 'W/"7"']) {
    expect(await versioned(new Response("[1]", { headers: { etag: tag } }))).toEqual({ value: [1], tag: '"7"' });
  }
});
