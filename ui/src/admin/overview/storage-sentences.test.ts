import { expect, it } from "vitest";
import { storageSentences, type StorageUse } from "./storage-sentences";

const use: StorageUse = {
  bytes: 12_400_000,
  freeBytes: 0,
  earlier: { day: "2026-03-03", bytes: 11_600_000 },
  parts: [{ name: "mails", bytes: 6_100_000 }, { name: "registrations", bytes: 4_200_000 }, { name: "audit", bytes: 400_000 }, { name: "pictures", bytes: 0 }],
};
const said = (change: Partial<StorageUse>) => storageSentences({ ...use, ...change }, "2026-03-10");

it("says how large the database is, how it grows, and what takes the space", () => {
  expect(said({})).toBe("The database is 12.4 MB, 800 KB more than a week ago. Emails take 6.1 MB, registrations 4.2 MB, the audit log 400 KB.");
});

it("compares with the first day that is known, and says when nothing has changed", () => {
  expect(said({ earlier: { day: "2026-03-09", bytes: 12_400_000 }, parts: [] })).toBe("The database is 12.4 MB, about the same as yesterday.");
  expect(said({ earlier: { day: "2026-03-06", bytes: 20_000_000 }, parts: [] })).toBe("The database is 12.4 MB, 7.6 MB less than on Mar 6.");
  expect(said({ earlier: null, parts: [{ name: "audit", bytes: 90_000 }] })).toBe("The database is 12.4 MB. The audit log takes 90 KB.");
});

it("reports free space when there is much", () => {
  expect(said({ earlier: null, freeBytes: 5_000_000, parts: [] })).toBe("The database is 12.4 MB. 5.0 MB of it is free to be used again.");
  expect(said({ earlier: null, freeBytes: 500_000, parts: [] })).toBe("The database is 12.4 MB.");
});
