import { expect, it } from "vitest";
import { draftOf, newDraft, newDraftTo, valuesOf } from "./compose";
import type { Mailing } from "./api";
import { groupText } from "./group-text";
import { sentOf } from "./mailings";

it("keeps a group of several kinds and statuses as it was made by a program", () => {
  const mailing = { group: { kind: ["speaker-applications", "judge-applications"], status: ["accepted", "waitlisted"] }, subject: "s", text: "t", notice: null } as unknown as Mailing;
  expect(draftOf(valuesOf(mailing))).toEqual({ group: mailing.group, subject: "s", text: "t", notice: "" });
  expect(groupText(mailing.group, {})).toBe("Speaker applications, Judge applications: Accepted, Waitlisted");
});

it("has no condition for what is left open", () => {
  const group = { kind: "competition-entries", status: "", paymentStatus: "paid", category: "", invitation: "", attendance: "" };
  expect(draftOf({ group, subject: "s", text: "t", notice: "place" }).group).toEqual({ kind: "competition-entries", paymentStatus: "paid" });
});

it("writes to everybody who takes part unless told otherwise, not only to those who paid in full", () => {
  const { group } = draftOf(newDraft);
  expect(group).toEqual({ kind: "competition-entries", paymentStatus: ["paid", "partially_refunded", "disputed", "complimentary"] });
  expect(valuesOf({ ...newDraft, group, notice: null } as unknown as Mailing).group, "a stored draft has the same option").toEqual(newDraft.group);
});

it("begins with those who came or did not when the door's page leads to it", () => {
  for (const attendance of ["came", "absent"]) expect(draftOf(newDraftTo(attendance)).group).toEqual({ kind: "all", attendance });
  for (const other of [null, "", "toString"]) expect(newDraftTo(other)).toBe(newDraft);
});

it("counts the people of a draft, and the emails of one that was sent", () => {
  const shown = (state: Mailing["state"], recipients: number) => sentOf({ state, progress: { recipients, sent: 1 } } as Mailing);
  expect([shown("draft", 0), shown("draft", 1), shown("draft", 1200), shown("sending", 2)]).toEqual(["0 people", "1 person", "1,200 people", "1 of 2 sent"]);
});
