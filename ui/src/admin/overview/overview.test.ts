import { expect, test, it } from "vitest";
import { paymentParts } from "./counts";
import { storageSentences, type StorageUse } from "./overview";

test.each([
  [{}, ""],
  [{ paid: 12, pending: 2 }, "12 paid, 2 not paid yet"],
  [{ paid: 11, pending: 2, partially_refunded: 1, abandoned: 1 }, "11 paid, 2 not paid yet, 1 partially refunded; 1 abandoned is not counted"],
  [{ failed: 1, abandoned: 2 }, "1 failed, 2 abandoned are not counted"],
])("entries by payment %o", (byStatus, expected) => {
  expect(paymentParts(byStatus)).toBe(expected);
});

const use: StorageUse = {
  bytes: 12_400_000,
  freeBytes: 0,
  parts: [{ name: "mails", bytes: 6_100_000 }, { name: "registrations", bytes: 4_200_000 }, { name: "audit", bytes: 400_000 }, { name: "pictures", bytes: 0 }],
};
const said = (change: Partial<StorageUse>) => storageSentences({ ...use, ...change });

it("says how large the database is, and what takes the space", () => {
  expect(said({})).toBe("The database is 12.4 MB. Emails take 6.1 MB, registrations 4.2 MB, the audit log 400 KB.");
});

it("leaves out what is small", () => {
  expect(said({ parts: [{ name: "audit", bytes: 90_000 }, { name: "pictures", bytes: 40_000 }] })).toBe("The database is 12.4 MB. The audit log takes 90 KB.");
});

it("reports free space when there is much", () => {
  expect(said({ freeBytes: 5_000_000, parts: [] })).toBe("The database is 12.4 MB. 5.0 MB of it is free to be used again.");
  expect(said({ freeBytes: 500_000, parts: [] })).toBe("The database is 12.4 MB.");
});
