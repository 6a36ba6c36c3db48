import { describe, expect, it, vi } from "vitest";
import type { DoorSnapshot, DoorTicket } from "../lib/answer-types";
import { count, decide, letsIn, listOfDay, listOfNow, search, type OwnScan } from "./decide";
import { eventNow } from "./device";
import { listAge, timeOrDayOf } from "./event-time";
import { parseCode } from "./words";

const ticket = (code: string, more: Partial<DoorTicket> = {}): DoorTicket => ({ code, name: `Name ${code}`, business: null, role: "guest", state: "valid", lists: ["day-1", "gala"], seat: null, note: null, ...more });
const list: DoorSnapshot = {
  at: "2026-03-28T12:00:00.000Z",
  lists: [{ key: "day-1", label: "Day 1", day: "2026-03-28" }, { key: "day-2", label: "Day 2", day: "2026-03-29" }, { key: "gala", label: "Gala", day: "2026-03-29" }],
  tickets: [ticket("A000000000"), ticket("B000000000", { name: "Zoë O’Hara", business: "Brow Bar" }), ticket("V000000000", { state: "void" }), ticket("W000000000", { lists: ["day-2"] }), ticket("T222222222")],
  scans: [{ id: "s3", code: "V000000000", scanned: "N222222222", list: "gala", at: "2026-03-28T12:33:00.000Z", device: "Front" }, { id: "s2", code: "T222222222", scanned: "N111111111", list: "gala", at: "2026-03-28T12:32:00.000Z", device: "Front" }, { id: "s1", code: "B000000000", list: "day-1", at: "2026-03-28T12:31:00.000Z", device: "Front" }],
};
const own = (more: Partial<OwnScan>): OwnScan => ({ id: "o1", code: "A000000000", list: "day-1", at: "2026-03-28T12:40:00.000Z", result: "welcome", state: "waiting", ...more });

describe("a code", () => {
  it.each([
    ["7KX3M9QW0T", "7KX3M9QW0T"], [" 7kx3m-9qwot ", "7KX3M9QW0T"], ["https://a.example.com/t/7kx3m9qw0t", "7KX3M9QW0T"], ["/t/ILO3M9QW0T", "1103M9QW0T"],
    ["7KX3M9QW0", undefined], ["7KX3M9QWUT", undefined], ["WIFI:S:Hotel;T:WPA;P:secret;;", undefined], ["BEGIN:VCARD", undefined], ["x".repeat(3000), undefined], ["", undefined],
  ])("%s", (text, code) => expect(parseCode(text)).toBe(code));
});

describe("what the door answers", () => {
  it.each<[string, OwnScan[], string, string, string]>([
    ["somebody expected", [], "day-1", "A000000000", "welcome"],
    ["in at another door", [], "day-1", "B000000000", "already"],
    ["in here, not sent yet", [own({})], "day-1", "A000000000", "already"],
    ["in at another list", [own({})], "gala", "A000000000", "welcome"],
    ["taken back here", [own({ undoneAt: "x" })], "day-1", "A000000000", "welcome"],
    ["another door's scan, taken back here", [own({ id: "s1", code: "B000000000", undoneAt: "x" })], "day-1", "B000000000", "welcome"],
    ["refused before", [own({ result: "void", code: "V000000000" })], "day-1", "V000000000", "void"],
    ["let in by name with an unknown code, at another door", [], "gala", "N111111111", "already"],
    ["the same on a day that the new ticket is for", [], "day-1", "N111111111", "welcome"],
    ["a second walk-in without a code", [own({ code: "", result: "walk_in", walkIn: "Wim" })], "day-1", "", "unknown"],
    ["let in by name, whose new ticket is void", [], "gala", "N222222222", "void"],
    ["another day's", [], "day-1", "W000000000", "wrong_list"],
    ["a newer ticket", [], "day-1", "N000000000", "unknown"],
    ["a newer ticket, let in with a name", [own({ code: "N000000000", result: "walk_in", walkIn: "Nora" })], "day-1", "N000000000", "already"],
  ])("%s", (_, scans, key, code, result) => expect(decide(list, scans, key, code).result).toBe(result));

  it("counts people, not scans", () => {
    expect(count(list, [own({}), own({ id: "o2" }), own({ id: "o3", code: "", result: "walk_in", walkIn: "Wim" })], "day-1")).toEqual({ in: 3, expected: 3 });
  });

  it("lets in by a reason whatever the ticket is", () => {
    expect(letsIn(own({ result: "void" }))).toBe(false);
    expect(letsIn(own({ result: "void", anyway: "Her sister has it" }))).toBe(true);
  });
});

it.each([["zoe", ["B000000000"]], ["hara brow", ["B000000000"]], ["w00000", ["W000000000"]], ["  ", []], ["nobody", []]])("finds %s", (text, codes) => {
  expect(search(list, text).map(({ code }) => code)).toEqual(codes);
});

it.each([["2026-03-01", "day-1"], ["2026-03-28", "day-1"], ["2026-03-29", "day-2"], ["2026-04-01", "gala"]])("lets in on %s to %s", (today, key) => {
  expect(listOfDay(list, today)).toBe(key);
});

it.each([["2026-03-28T12:31:00Z", "day-1"], ["2026-03-29T12:31:00Z", "day-2"], ["2021-01-01T00:00:00Z", "day-2"]])("by a phone's clock at %s, lets in to %s", (now, key) => {
  const at = now.startsWith("2021") ? "2026-03-29T12:00:00.000Z" : list.at;
  expect(listOfNow({ ...list, at }, Date.parse(now), "America/New_York")).toBe(key);
});

it("lets in to today's list although the phone's clock is a day ahead", () => {
  vi.useFakeTimers({ now: Date.parse("2026-03-29T13:00:00Z") });
  const offset = Date.parse("2026-03-28T13:00:00Z") - Date.now();
  expect(listOfNow(list, eventNow({ list, confirmedAt: 0, offset, tag: undefined }), "America/New_York")).toBe("day-1");
  vi.useRealTimers();
});

it.each([["2026-03-28T12:31:00Z", "8:31 AM"], ["2026-03-10T12:31:00Z", "March 10, 8:31 AM"]])("%s was at %s", (instant, text) => {
  expect(timeOrDayOf(instant, "America/New_York", Date.parse("2026-03-28T20:00:00Z"))).toBe(text);
});

it.each([[0, "up to date"], [9_400, "up to date"], [-4_000, "up to date"], [45_000, "40 s old"], [720_000, "12 min old"], [3 * 3_600_000, "3 h old"], [-3 * 3_600_000, "of unknown age"]])("a list confirmed %i ms ago is %s", (milliseconds, text) => {
  expect(listAge(1_000_000_000, 1_000_000_000 + milliseconds)).toBe(text);
});
