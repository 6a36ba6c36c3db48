import { safeParse } from "valibot";
import { describe, expect, test } from "vitest";
import type { Registration } from "../shell/kinds";
import { consequenceOf, noRefund, refundChoices, refundSchema } from "./refund-choice";

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
