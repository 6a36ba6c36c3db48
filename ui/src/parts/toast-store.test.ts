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
