import { expect, it } from "vitest";
import { submissionNote } from "./entry-data.server";

const nothing = { how: "", from: null, deadline: null, announcedBy: null };

it("says when competitors will hear while nothing is settled, and how to hand in once it is", () => {
  expect(submissionNote(nothing)).toBe("We will email you how and by when to send your photos. Until then nothing is due.");
  expect(submissionNote({ ...nothing, announcedBy: "2026-01-15" })).toBe("We will email you by January 15, 2026 how and by when to send your photos. Until then nothing is due.");
  expect(submissionNote({ ...nothing, deadline: "2026-03-01" })).toBe("We will email you how to send your photos.");
  expect(submissionNote({ ...nothing, deadline: "2026-03-01", how: "Upload them." })).toBe("Upload them.");
});
