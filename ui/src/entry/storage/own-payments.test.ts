import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { storageOf } from "../../../test/storage";
import { earlierPayment, forgetPending, isOwnPaymentFor, lastPending, noteAbandoned, notePaid, notePending } from "./own-payments";

const day = 24 * 3600 * 1000;
const ana = "ana@example.com";

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", storageOf(() => kept));
});

afterEach(() => vi.unstubAllGlobals());

it("leads to the newest payment whose end is not known", () => {
  expect(lastPending()).toBeUndefined();
  notePending("a", ana);
  notePending("b", "bea@example.com");
  expect(lastPending()).toBe("b");
  notePaid("b");
  expect(lastPending()).toBe("a");
  notePending("c", ana);
  noteAbandoned("c");
  expect(lastPending()).toBe("a");
  forgetPending("a");
  expect(lastPending()).toBeUndefined();
});

it("knows another payment for the same person, made or begun", () => {
  notePending("a", ana);
  expect(earlierPayment(ana, "a"), "the same payment").toBeUndefined();
  expect(earlierPayment("bea@example.com", "b")).toBeUndefined();
  expect(earlierPayment("", "b"), "nobody").toBeUndefined();
  expect(earlierPayment(" Ana@Example.com", "b")).toMatchObject({ clientSecret: "a" });
  notePaid("a");
  expect(earlierPayment(ana, "b")).toMatchObject({ clientSecret: "a", paid: true });
  forgetPending("a");
  expect(earlierPayment(ana, "b")).toBeUndefined();
});

it("forgets after a day", () => {
  notePending("a", ana, 1000);
  expect(lastPending(1000 + day - 1)).toBe("a");
  expect(lastPending(1000 + day)).toBeUndefined();
  expect(earlierPayment(ana, "b", 1000 + day)).toBeUndefined();
});

it("tells whose payment it was, also after it was tried again from a page that does not know", () => {
  notePending("a", ana);
  notePending("a", "");
  expect(isOwnPaymentFor(ana, "a")).toBe(true);
  expect(isOwnPaymentFor("", "a"), "an empty form").toBe(true);
  expect(isOwnPaymentFor("bea@example.com", "a")).toBe(false);
  expect(isOwnPaymentFor(ana, "b"), "not begun here").toBe(false);
});

it("reads nothing into what it did not write", () => {
  localStorage.setItem("entry-payments", '{"clientSecret":"a","at":1}');
  expect(lastPending(2)).toBeUndefined();
});
