import { afterEach, expect, it, vi } from "vitest";
import { sampleInput } from "../../test/sample-input";
import { qrPath } from "../kit/qr-code";
import { ApiError } from "../lib/api-error";
import { isHeic } from "../lib/heic";
import { relationText } from "./api";
import { momentInWords, timeLeft } from "./deadline";
import { inOrder } from "./hand-in";
import { preparePhoto } from "./photo-files";
import { signInByLink, tokenIn } from "./session";
import { hasDrawing } from "./slot-drawing";
import { generalReason, isOutdated, isWanted, missingText, reasonOf, todoText } from "./words";

afterEach(() => vi.unstubAllGlobals());

it("says a deadline in the event's time, and midnight as the end of the day before", () => {
  expect(momentInWords("2026-03-02T04:59:00Z", "America/New_York")).toBe("March 1, 2026 at 11:59 PM");
  expect(momentInWords("2026-03-02T05:00:00Z", "America/New_York")).toBe("March 1, 2026 at 11:59 PM");
});

it("says how much time is left", () => {
  const deadline = "2026-03-02T05:00:00Z";
  const before = (hours: number) => timeLeft(deadline, Date.parse(deadline) - hours * 3_600_000);
  expect([72, 26, 1.5, 0, -1].map(before)).toEqual(["3 days left", "26 hours left", "90 minutes left", undefined, undefined]);
});

it("says what is missing", () => {
  expect(missingText({ missing: [] })).toBe("");
  expect(missingText({ missing: ["release"] })).toBe("The model release is missing");
  expect(missingText({ missing: ["left"] })).toBe("1 photo is missing");
  expect(missingText({ missing: ["left", "right", "release"] })).toBe("2 photos and the model release are missing");
});

it("asks for a returned photo until it is replaced", () => {
  const returnedAt = "2026-02-01T12:00:00Z";
  const slot = (createdAt: string, open: boolean) => ({ open, media: { createdAt } });
  const returned = (...slots: object[]) => todoText({ state: "returned", canHandIn: true, returnedAt, missing: [], slots, release: { paper: slot(before, false) } } as never);
  const [before, after] = ["2026-02-01T11:00:00Z", "2026-02-02T09:00:00Z"] as const;
  expect(returned(slot(before, true), slot(before, false))).toBe("1 photo has to be replaced.");
  expect(returned(slot(before, true), slot(before, true))).toBe("2 photos have to be replaced.");
  expect(returned(slot(after, true), slot(before, false))).toBe("Nothing is missing. You can hand it in.");
  expect(returned(slot(before, false)), "no slot is open, but the release was signed meanwhile").toBe("Nothing is missing. You can hand it in.");
  expect(todoText({ state: "returned", canHandIn: false, missing: [], slots: [] } as never)).toBe("The deadline has passed.");
  const paper = { state: "returned", canHandIn: true, returnedAt, missing: ["release"], slots: [slot(before, false)], release: { paper: slot(before, true) } };
  expect(todoText(paper as never), "only the signed paper was returned").toBe("The model release is missing.");
});

it("puts each line of a reason beside its photo", () => {
  const slots = [{ label: "Close-up" }, { label: "Left" }] as never;
  const release = { paper: { label: "Signed paper" } } as never;
  const reason = "Thank you so far.\nClose-up: it is blurred.\nSigned paper: it is cut off.";
  expect(reasonOf({ reason }, { label: "Close-up" })).toBe("it is blurred.");
  expect(reasonOf({ reason }, { label: "Left" })).toBeUndefined();
  expect(generalReason({ reason, slots, release })).toBe("Thank you so far.");
});

it("lists what the server misses in the order of the page", () => {
  const nomination = { slots: [{ key: "before" }, { key: "after" }], ticks: [{ key: "own_work", label: "" }] } as never;
  expect(inOrder(nomination, { own_work: "c", release: "b", after: "a" }).map(({ message }) => message)).toEqual(["a", "b", "c"]);
});

it("takes a link's token from the fragment, and no anchor for one", () => {
  const token = "8e8ddf670ea499acc413bb1b61251f0e";
  expect([`#${token}`, `#token=${token}`, "#content", ""].map(tokenIn)).toEqual([token, token, undefined, undefined]);
});

it("keeps a link's token until it has signed in or was refused", async () => {
  const token = "8e8ddf670ea499acc413bb1b61251f0e";
  const location = { hash: `#${token}`, pathname: "/judge", search: "" };
  vi.stubGlobal("location", location);
  vi.stubGlobal("history", { state: null, replaceState: () => (location.hash = "") });
  const failures = [new TypeError("Failed to fetch"), new ApiError(503, "", ""), new ApiError(429, "", "")];
  for (const failure of failures) {
    await expect(signInByLink(() => Promise.reject(failure))).rejects.toBe(failure);
    expect(location.hash, String(failure)).toBe(`#${token}`);
  }
  const used: string[] = [];
  await signInByLink(async (credentials) => used.push(credentials.token));
  expect([used, location.hash]).toEqual([[token], ""]);
  location.hash = `#${token}`;
  await expect(signInByLink(() => Promise.reject(new ApiError(401, "", "")))).rejects.toThrow("401");
  expect(location.hash).toBe("");
});

it("continues an interrupted upload into an open slot, also of the paper, and after the deadline for what is missing", () => {
  const of = (key: string, open: boolean) => ({ key, open });
  const nomination = (paper: boolean, canHandIn: boolean) => ({ id: 7, slots: [of("left", true), of("right", false), of("front", false)], release: { paper: of("release", paper) }, missing: ["right", "release"], canHandIn }) as never;
  const wanted = (one: never) => ["left", "right", "front", "release", "gone"].filter((slot) => isWanted(one, { nomination: 7, slot }));
  expect(wanted(nomination(true, false))).toEqual(["left", "release"]);
  expect(wanted(nomination(false, true))).toEqual(["left", "right", "release"]);
  expect(isWanted(nomination(true, true), { nomination: 8, slot: "left" })).toBe(false);
});

it("leaves out a photo that an earlier page could not send if the slot has another one now", () => {
  const nomination = { id: 7, slots: [{ key: "left", media: { id: 5 } }, { key: "right", media: null }], release: { paper: { key: "release", media: null } } } as never;
  const outdated = (slot: string, replaces: number | null, id = 7) => isOutdated(nomination, { nomination: id, slot, replaces });
  expect([outdated("left", null), outdated("left", 4), outdated("right", 4)]).toEqual([true, true, true]);
  expect([outdated("left", 5), outdated("right", null), outdated("release", null), outdated("left", 4, 8)]).toEqual(Array(4).fill(false));
});

it("knows HEIC by its bytes whatever its name and type, and sends everything else as it is", async () => {
  const file = (start: string, name: string, type: string) => new File([start], name, { type });
  const others = [file("\u0000\u0000\u0000\u0018ftypmp42", "a.mp4", ""), file("JFIF", "a.heic", "image/heic"), file("", "a.jpg", "image/jpeg")];
  for (const other of others) expect(await preparePhoto(other)).toBe(other);
  for (const kind of ["heic", "heix", "hevc", "mif1"]) {
    const heic = file(`\u0000\u0000\u0000\u0018ftyp${kind}`, "IMG_1.jpg", "application/octet-stream");
    expect(await isHeic(heic)).toBe(true);
    expect(await preparePhoto(heic)).toBe(heic);
  }
});

it("has a drawing for every photo of the default content", () => {
  const without = sampleInput.content.portal.slots.filter(({ category, key }) => !hasDrawing(category, key));
  expect(without).toEqual([]);
});

it("draws the release's link as a QR code", () => {
  const { path, size } = qrPath("https://showcase.example.com/release#0123456789abcdef0123456789abcdef");
  expect(size).toBeGreaterThan(24);
  expect(path).toMatch(/^M\d+ \d+h1v1h-1z/);
});

it("says how a competitor knows a judge", () => {
  const said = (["trained_by", "works_for", "related_to"] as const).map((kind) => relationText({ judge: "Ada Sample", kind, note: null }));
  expect(said).toEqual(["I was trained by Ada Sample", "I work for Ada Sample", "I am related to Ada Sample"]);
});
