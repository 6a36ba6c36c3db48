import { expect, it, vi } from "vitest";
import { ApiError } from "../../lib/api-error";
import { runConfirmed } from "./confirmed";

const refused = (body: object) => new ApiError(403, "Forbidden", JSON.stringify(body));
const wanted = refused({ detail: "Please enter your password to continue.", code: "password_required" });

it("runs a task once if the password is not required", async () => {
  const [task, ask] = [vi.fn(async () => 7), vi.fn(async () => {})];
  expect(await runConfirmed(task, ask)).toBe(7);
  expect([task.mock.calls.length, ask.mock.calls.length]).toEqual([1, 0]);
});

it("asks for the password if the server requires it, and runs the task again", async () => {
  const task = vi.fn<() => Promise<string>>().mockRejectedValueOnce(wanted).mockResolvedValueOnce("done");
  const ask = vi.fn(async () => {});
  expect(await runConfirmed(task, ask)).toBe("done");
  expect([task.mock.calls.length, ask.mock.calls]).toEqual([2, [[wanted]]]);
});

it("throws other refusals, and the server's refusal if the prompt is cancelled", async () => {
  const other = refused({ detail: "This request came from another site." });
  const ask = vi.fn(async (refusal: ApiError) => Promise.reject(refusal));
  await expect(runConfirmed(() => Promise.reject(other), ask)).rejects.toBe(other);
  expect(ask).not.toHaveBeenCalled();
  await expect(runConfirmed(() => Promise.reject(wanted), ask)).rejects.toBe(wanted);
});
