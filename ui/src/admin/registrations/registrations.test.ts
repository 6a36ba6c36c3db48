import { safeParse } from "valibot";
import { describe, expect, test, it } from "vitest";
import { sampleInput } from "../../../test/sample-input";
import type { Registration } from "../shell/kinds";
import { formLabels } from "../shell/admin-data.server";
import { consequenceOf, noRefund, refundChoices, refundSchema } from "./refund";
import { centsOf } from "../shell/numbers";
import { countText } from "./list-page";
import { isAsked } from "./record-page";

const entry = (more: object = {}): Registration => ({
  id: 3, createdAt: "", status: "new", paymentAmount: 59_184, refundedAmount: 0, paymentStatus: "paid", oneCategoryCents: 10_692,
  nominations: [
    { id: 1, code: "LE-204", label: "Lash Extensions - Volume", state: "ready" },
    { id: 2, code: "BR-317", label: "Brows - Lamination", state: "open" },
  ],
  ...more,
});

describe("what may be refunded", () => {
  test("is each category at its price, everything, or another amount", () => {
    expect(refundChoices(entry()).map(({ label }) => label)).toEqual([
      "Lash Extensions - Volume (LE-204), $106.92 with tax", "Brows - Lamination (BR-317), $106.92 with tax", "Everything, $591.84", "Another amount",
    ]);
  });

  test("is no single category once only one takes part", () => {
    const one = { nominations: [{ id: 1, code: "LE-204", label: "Lash Extensions - Volume", state: "open" }, { id: 2, code: "BR-317", label: "Brows", state: "withdrawn" }] };
    expect(refundChoices(entry(one)).map(({ value }) => value)).toEqual(["all", "other"]);
    expect(refundChoices(entry({ nominations: undefined })).map(({ value }) => value)).toEqual(["all", "other"]);
  });

  test("says what becomes of the categories", () => {
    const record = entry();
    const sentences = refundChoices(record).map((choice) => consequenceOf(choice, record));
    expect(sentences.slice(1)).toEqual(["Brows - Lamination is withdrawn with it; the rest of the entry stays.", "All categories are withdrawn with it.", "No category is withdrawn."]);
  });
});

describe("a refund", () => {
  const parse = (typed: object, record = entry()) => safeParse(refundSchema(refundChoices(record), 59_184), { ...noRefund, reason: "Ill", ...typed });

  test("names the category and its amount", () => {
    expect(parse({ what: "BR-317" }).output).toEqual({ amountCents: 10_692, reason: "Ill", notify: true, category: "BR-317" });
    expect(parse({ what: "all" }).output).toEqual({ amountCents: 59_184, reason: "Ill", notify: true });
    expect(parse({ what: "other", amount: "50" }).output).toEqual({ amountCents: 5_000, reason: "Ill", notify: true });
  });

  test("of a category whose price is not known takes the typed amount", () => {
    const record = entry({ oneCategoryCents: undefined });
    expect(parse({ what: "BR-317", amount: "80" }, record).output).toEqual({ amountCents: 8_000, reason: "Ill", notify: true, category: "BR-317" });
  });

  test.each([
    [{ what: "" }, "what", "Please choose what is refunded."],
    [{ what: "other", amount: "" }, "amount", "Please enter an amount up to $591.84."],
    [{ what: "other", amount: "600" }, "amount", "Please enter an amount up to $591.84."],
    [{ what: "all", reason: " " }, "reason", "Please say why. Other organisers will want to know."],
  ])("%o is refused at its field", (typed, field, message) => {
    const { issues } = parse(typed);
    expect(issues?.map(({ path, message: said }) => [path?.[0]?.key, said])).toContainEqual([field, message]);
  });
});

it.each([["99", 9900], ["$1,099.50", 109_950], ["$ 1,234,567", 123_456_700], ["10,50", undefined], ["1,0000", undefined], ["1099,50", undefined], [",500", undefined], ["0.29", 29], ["19.99", 1999], ["99.999", undefined], ["-5", undefined], ["", undefined], ["ten", undefined]] as const)("reads %s as %s cents", (text, cents) => {
  expect(centsOf(text)).toBe(cents);
});

const all = { search: "", status: "", category: "" };
const list = (length: number, total: number, page = 1) => ({ items: Array.from({ length }), total, page, pageSize: 50 });

it("counts a whole list, a filtered one, and a page of one", () => {
  expect(countText(list(3, 3), all)).toBe("3 total");
  expect(countText(list(3, 3), { ...all, search: "ada" })).toBe("3 found");
  expect(countText(list(50, 1053), all)).toBe("1 to 50 of 1,053");
  expect(countText(list(3, 53, 2), all)).toBe("51 to 53 of 53");
  expect(countText(list(0, 53, 9), all)).toBe("53 total");
});

const fields = formLabels("competition-entries", sampleInput.content).sections.flatMap((section) => section.fields);
const left = (additionalCategories: number) => fields.filter((field) => !isAsked(field, { id: 1, createdAt: "", status: "new", additionalCategories })).map(({ name }) => name);

it("leaves out the categories that an entry was not asked for", () => {
  expect(left(0)).toEqual(["additionalCategory1", "additionalCategory1Sub", "additionalCategory2", "additionalCategory2Sub"]);
  expect(left(1)).toEqual(["additionalCategory2", "additionalCategory2Sub"]);
  expect(left(2)).toEqual([]);
});
