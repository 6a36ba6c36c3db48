import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { kept, storage } from "../../../test/idb-keyval";
import type { Change, Item, Sheet } from "./api";
import { Changes, withWaiting, type KeptChange } from "./changes";
import { latestOf } from "./finish";
import { countText, missingOf, pointsIn, savedText, stepped, totalOf, unfinished, unsentText } from "./words";

vi.mock("idb-keyval", () => import("../../../test/idb-keyval"));

const scale = { max: 10, step: 0.5 };
const token = "sheet-1";
const judge = 1;
const otherJudge = 2;
const sheet = (scores: Sheet["scores"] = []) => ({ token, scores, penaltyScores: [], comment: "", criteria: [{ key: "symmetry" }, { key: "fans" }], penaltyCap: 15 }) as unknown as Sheet;
const item = (state: Item["state"], missing = 0) => ({ state, missing }) as Item;

it("takes points of the scale alone", () => {
  expect(["8", "8.5", "8,5", " 10 ", "0"].map((typed) => pointsIn(typed, scale))).toEqual([8, 8.5, 8.5, 10, 0]);
  expect(["8.3", "10.5", "-1", "", "ten", "1e1"].map((typed) => pointsIn(typed, scale))).toEqual(Array(6).fill(undefined));
});

it("steps within the scale, from its middle", () => {
  expect([stepped(undefined, 1, scale), stepped(10, 1, scale), stepped(0, -1, scale), stepped(8, -1, scale)]).toEqual([5, 10, 0, 7.5]);
  expect(stepped(undefined, 1, { max: 15, step: 1 })).toBe(8);
});

it("says how far the judge is, and leaves out what is not the judge's to score", () => {
  expect(countText([item("confirmed"), item("recused"), item("open", 9), item("saved")])).toBe("1 of 3 are confirmed. 1 is complete and waits to be confirmed.");
  expect(countText([item("confirmed"), item("recused")])).toBe("All 1 are confirmed. Thank you.");
  expect(unfinished([item("confirmed"), item("saved", 1), item("second_look"), item("recused")]).map(({ state }) => state)).toEqual(["second_look", "saved"]);
});

it("adds up a sheet and names its gaps", () => {
  const scored = { ...sheet([{ criterion: "fans", points: 8.5 }]), penaltyScores: [{ penalty: "logo", points: 20 }] };
  expect(totalOf(scored)).toBe(8.5 - 15);
  expect(missingOf(scored).map(({ key }) => key)).toEqual(["symmetry"]);
});

it("shows what the server does not have yet", () => {
  const shown = withWaiting(sheet([{ criterion: "fans", points: 3 }]), [{ criterion: "fans", points: 7 }, { penalty: "logo", points: 2 }, { comment: "Even." }]);
  expect(shown).toMatchObject({ scores: [{ criterion: "fans", points: 7 }], penaltyScores: [{ penalty: "logo", points: 2 }], comment: "Even." });
});

it("sends the last value of each criterion for a second look", () => {
  expect(latestOf([{ criterion: "fans", points: 3 }, { criterion: "fans", points: 4 }, { criterion: "symmetry", points: 5 }]).map((change) => "points" in change && change.points)).toEqual([4, 5]);
});

/** A server that can be unreachable. It keeps the changes of every request. */
class Server {
  sent: Change[][] = [];
  answer: () => Response = () => new Response(JSON.stringify(sheet()), { status: 200 });
  isAway = false;
  signedIn: number = judge;

  fetch = async (path: string, { body }: { body: string }): Promise<Response> => {
    if (this.isAway) throw new TypeError("Failed to fetch");
    if (path === "/api/judge/session") return new Response(JSON.stringify({ signedIn: true, id: this.signedIn }));
    this.sent.push((JSON.parse(body) as { changes: Change[] }).changes);
    return this.answer();
  };
}

const pointsOf = (batches: Change[][]) => batches.map((batch) => batch.map((change) => "points" in change && change.points));

let server: Server;

beforeEach(() => {
  kept.clear();
  vi.stubGlobal("addEventListener", () => {});
  vi.stubGlobal("removeEventListener", () => {});
  server = new Server();
  vi.stubGlobal("fetch", server.fetch);
});
afterEach(() => vi.unstubAllGlobals());

function changesOf(): { changes: Changes; refused: string[]; stored: Sheet[]; signedOut: () => number; termsAsked: () => number } {
  const refused: string[] = [];
  const stored: Sheet[] = [];
  let ended = 0;
  let asked = 0;
  const changes = new Changes(judge, { onStored: (one) => stored.push(one), onRefused: (one) => refused.push(one), onTermsRequired: () => (asked += 1), onSignedOut: () => (ended += 1) });
  return { changes, refused, stored, signedOut: () => ended, termsAsked: () => asked };
}

it("keeps what is given after its end on the device, and leaves sending it to the next page", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const { changes } = changesOf();
    changes.start()();
    changes.add(token, { criterion: "fans", points: 5 });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(server.sent).toEqual([]);
    expect(kept.size).toBe(1);
  } finally {
    vi.useRealTimers();
  }
});

it("sends several presses of one button as one value", async () => {
  const { changes, stored } = changesOf();
  for (const points of [5, 6, 7]) changes.add(token, { criterion: "fans", points });
  changes.add(token, { criterion: "symmetry", points: 9 });
  expect(savedText(changes.shown(), token)).toBe("Saving…");
  await changes.flush();
  expect(server.sent.map((batch) => batch.map((change) => "points" in change && change.points))).toEqual([[7, 9]]);
  expect(stored).toHaveLength(1);
  expect(savedText(changes.shown())).toBe("All saved");
});

it("sends the rubric that the judge saw with each value", async () => {
  const { changes } = changesOf();
  changes.add(token, { criterion: "fans", points: 7 }, "abc");
  await changes.flush();
  expect(server.sent[0]?.[0]).toMatchObject({ criterion: "fans", points: 7, rubricVersion: "abc" });
});

it("keeps values without a connection and sends them later under the same ids", async () => {
  const { changes } = changesOf();
  server.isAway = true;
  changes.add(token, { criterion: "fans", points: 7 });
  const [before] = changes.shown().waiting;
  await changes.flush();
  expect(savedText(changes.shown())).toBe("No connection: 1 change is kept on this device and will be sent by itself.");
  server.isAway = false;
  await changes.flush();
  expect(server.sent.map((batch) => batch.map(({ id }) => id))).toEqual([[before?.change.id]]);
  expect(changes.shown().waiting).toEqual([]);
});

it("says that nothing is kept where the browser refuses it", async () => {
  storage.isRefused = true;
  try {
    const { changes } = changesOf();
    server.isAway = true;
    changes.add(token, { criterion: "fans", points: 7 });
    await changes.flush();
    expect(savedText(changes.shown())).toBe("No connection: this browser keeps nothing, so leave this page open until 1 change is sent.");
    server.isAway = false;
    await changes.flush();
    expect(pointsOf(server.sent)).toEqual([[7]]);
  } finally {
    storage.isRefused = false;
  }
});

it("drops what the server refuses for good, and sends the rest", async () => {
  const { changes, refused } = changesOf();
  changes.add(token, { criterion: "gone", points: 7 });
  changes.add(token, { criterion: "fans", points: 8 });
  server.answer = () => {
    server.answer = () => new Response(JSON.stringify(sheet()), { status: 200 });
    return new Response(JSON.stringify({ errors: { "changes[0].criterion": "There is no such criterion." } }), { status: 422 });
  };
  await changes.flush();
  expect(refused).toEqual([token]);
  expect(changes.shown().refused.get(token)?.message).toBe("There is no such criterion.");
  expect(server.sent.at(-1)?.map((change) => "criterion" in change && change.criterion)).toEqual(["fans"]);
  expect(savedText(changes.shown(), "sheet-2")).toBe("All saved");
  expect(savedText(changes.shown(), token)).toBe("1 change could not be saved. There is no such criterion.");
  changes.add(token, { criterion: "fans", points: 9 });
  await changes.flush();
  expect(savedText(changes.shown(), token)).toBe("All saved");
});

it("keeps values when the session has ended", async () => {
  const { changes, signedOut } = changesOf();
  changes.add(token, { criterion: "fans", points: 7 });
  server.answer = () => new Response("{}", { status: 401 });
  await changes.flush();
  expect(signedOut()).toBe(1);
  expect(changes.shown().waiting).toHaveLength(1);
});

it("keeps values while other terms are to be accepted, and sends them afterwards", async () => {
  const { changes, refused, termsAsked } = changesOf();
  changes.add(token, { criterion: "fans", points: 7 });
  server.answer = () => new Response(JSON.stringify({ code: "terms_required" }), { status: 403 });
  await changes.flush();
  expect([termsAsked(), refused, changes.shown().waiting.length, kept.size]).toEqual([1, [], 1, 1]);
  expect(savedText(changes.shown())).toMatch(/^Not sent yet/);
  await changes.flush();
  expect(server.sent, "nothing is sent before the terms are accepted").toHaveLength(1);
  server.answer = () => new Response(JSON.stringify(sheet()), { status: 200 });
  const stop = changes.start();
  await vi.waitFor(() => expect(changes.shown().waiting).toEqual([]));
  stop();
  expect(pointsOf(server.sent)).toEqual([[7], [7]]);
});

it("drops what is forbidden for another reason", async () => {
  const { changes, refused, termsAsked } = changesOf();
  changes.add(token, { criterion: "fans", points: 7 });
  server.answer = () => new Response("{}", { status: 403 });
  await changes.flush();
  expect([termsAsked(), refused, changes.shown().waiting]).toEqual([0, [token], []]);
});

it("sends what an earlier page has kept of this judge, and nobody else's", async () => {
  const keep = (id: string, owner: number) => kept.set(id, { sheet: token, judge: owner, change: { id, at: "2026-03-01T12:00:00Z", criterion: id, points: 5 } } satisfies KeptChange);
  keep("own", judge);
  keep("joy", otherJudge);
  const { changes } = changesOf();
  const stop = changes.start();
  await vi.waitFor(() => expect([...kept.keys()]).toEqual(["joy"]));
  stop();
  expect(server.sent.flat().map(({ id }) => id)).toEqual(["own"]);
});

it("keeps values while another judge is signed in, whose sheet it is not", async () => {
  const { changes, refused, signedOut } = changesOf();
  changes.add(token, { criterion: "fans", points: 7 });
  server.answer = () => new Response(JSON.stringify({ detail: "There is no such sheet of yours." }), { status: 404 });
  server.signedIn = otherJudge;
  await changes.flush();
  expect([signedOut(), refused, changes.shown().waiting.length, kept.size]).toEqual([1, [], 1, 1]);
  server.signedIn = judge;
  await changes.flush();
  expect([refused, changes.shown().waiting.length, kept.size], "the judge's own sheet is gone").toEqual([[token], 0, 0]);
  expect(savedText(changes.shown())).toBe("1 change could not be saved. There is no such sheet of yours.");
});

it("keeps values of a nomination that is not judged at the moment, and sends the others", async () => {
  const { changes, refused } = changesOf();
  changes.add(token, { criterion: "fans", points: 7 });
  changes.add("sheet-2", { criterion: "fans", points: 8 });
  const answer = server.answer;
  server.answer = () => {
    server.answer = answer;
    return new Response(JSON.stringify({ code: "not_being_judged" }), { status: 409 });
  };
  await changes.flush();
  expect([refused, pointsOf(server.sent), changes.shown().waiting.length, kept.size]).toEqual([[], [[7], [8]], 1, 1]);
  expect(savedText(changes.shown(), token)).toBe("Not being judged at the moment: 1 change is kept on this device and will be sent by itself.");
  expect(savedText(changes.shown(), "sheet-2")).toBe("All saved");
  await changes.flush();
  expect([pointsOf(server.sent).at(-1), changes.shown().waiting, kept.size, savedText(changes.shown())]).toEqual([[7], [], 0, "All saved"]);
});

it("deletes unsent values only when the judge says so", async () => {
  const { changes } = changesOf();
  kept.set("joy", {});
  server.isAway = true;
  changes.add(token, { criterion: "fans", points: 7 });
  await changes.flush();
  expect(unsentText(changes.shown().waiting.length)).toBe("1 change is on this device only. If you sign out now, it is deleted.");
  changes.discard();
  expect([changes.shown().waiting, [...kept.keys()]]).toEqual([[], ["joy"]]);
});
