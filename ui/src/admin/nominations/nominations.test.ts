import { expect, it } from "vitest";
import type { Nomination } from "../../lib/answer-types";
import { eventClock } from "../shell/event-time";
import { resolverOf } from "../shell/use-form";
import type { PaperRelease } from "./api";
import { decisionOf, paperSchema, schemaOf, type Task } from "./decide";
import { incompleteText, missingText } from "./nomination-page";

const empty = { slots: "", reason: "", until: "", reasons: {} };
const { endOfDay } = eventClock("America/New_York");

it("reports the missing fields of a decision", async () => {
  const lacking = async (task: Task) => Object.keys((await resolverOf(schemaOf(task))(empty, undefined, {} as never)).errors);
  expect(await lacking("return")).toEqual(["slots"]);
  expect(await lacking("extend")).toEqual(["until", "reason"]);
  expect(await lacking("forfeit")).toEqual(["reason"]);
});

it("wants a model's name, and a guardian's of one under age", async () => {
  const lacking = async (paper: PaperRelease) => Object.keys((await resolverOf(paperSchema)(paper, undefined, {} as never)).errors);
  expect(await lacking({ name: " ", adult: true, guardian: "" })).toEqual(["name"]);
  expect(await lacking({ name: "Mia Model", adult: false, guardian: " " })).toEqual(["guardian"]);
  expect(await lacking({ name: "Mia Model", adult: false, guardian: "Gus Guardian" })).toEqual([]);
});

it("gives each returned photo a line of its own", () => {
  const chosen = [{ key: "left", label: "Left" }, { key: "right", label: "Right" }];
  const answers = { ...empty, reason: "Almost there.", reasons: { left: " too\ndark ", right: "", other: "not chosen" } };
  expect(decisionOf("return", chosen, answers, endOfDay)).toEqual({ action: "return", slots: ["left", "right"], reason: "Almost there.\nLeft: too dark" });
});

it("ends a day in the event's time zone, in winter and on the day when the clocks change", () => {
  expect(endOfDay("2026-03-05")).toBe("2026-03-06T04:59:00.000Z");
  expect(endOfDay("2026-03-08")).toBe("2026-03-09T03:59:00.000Z");
  expect(endOfDay("2026-11-01")).toBe("2026-11-02T04:59:00.000Z");
});

const nomination = (missing: string[], sent: string[], state = "open") => ({
  state,
  missing,
  slots: ["before", "after", "left"].map((key) => ({ key, media: sent.includes(key) ? {} : null })),
}) as unknown as Nomination;

it("says what is missing of a nomination, and what has to be replaced", () => {
  expect(missingText(nomination([], ["before", "after", "left"]))).toBe("Nothing");
  expect(missingText(nomination(["before", "after", "release"], ["left"]))).toBe("2 photos, release");
  expect(missingText(nomination(["before"], ["before", "after", "left"])), "a returned photo is there").toBe("1 photo to replace");
  expect(missingText(nomination(["before", "after", "release"], ["before", "left"]))).toBe("1 photo, release, 1 photo to replace");
  expect(incompleteText(nomination(["before", "after", "release"], ["before", "left"]))).toBe("1 photo, release missing, 1 photo to replace");
  expect(incompleteText(nomination(["before"], ["before"]))).toBe("1 photo to replace");
  expect(incompleteText(nomination(["before", "release"], [], "withdrawn"))).toBe("");
});
