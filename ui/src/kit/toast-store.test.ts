import { expect, it, vi } from "vitest";
import { clearToast, removeToast, shownToast, subscribeToToasts, toast } from "./toast-store";

it("shows one at a time, the newest", () => {
  const listener = vi.fn();
  const unsubscribe = subscribeToToasts(listener);
  toast({ title: "Error", message: "Please try again.", tone: "destructive" });
  const first = shownToast();
  toast({ title: "Daily Report Sent" });
  expect(shownToast()).toMatchObject({ title: "Daily Report Sent", tone: "plain" });
  removeToast(first?.id ?? 0);
  expect(shownToast()?.title).toBe("Daily Report Sent");
  clearToast();
  expect(shownToast()).toBeNull();
  expect(listener).toHaveBeenCalledTimes(3);
  unsubscribe();
});

it("shows what follows when the first has left, unless something else came meanwhile", () => {
  toast({ title: "Payment Successful" }, { title: "Registration Successful!" });
  removeToast(shownToast()?.id ?? 0);
  expect(shownToast()).toMatchObject({ title: "Registration Successful!", tone: "plain" });
  removeToast(shownToast()?.id ?? 0);
  expect(shownToast()).toBeNull();

  toast({ title: "Payment Successful" }, { title: "Registration Successful!" });
  toast({ title: "Error" });
  removeToast(shownToast()?.id ?? 0);
  expect(shownToast()).toBeNull();

  toast({ title: "Payment Successful" }, { title: "Registration Successful!" });
  clearToast();
  expect(shownToast()).toBeNull();
});
