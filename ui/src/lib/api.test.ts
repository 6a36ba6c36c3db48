import { afterEach, describe, expect, it, vi } from "vitest";
import { ApiError, detailOf } from "./api-error";
import { attemptFor } from "./idempotency-key";
import { post, request, waitOf } from "./request";
import { fetcher, pathOf } from "./swr-settings";

function answer(response: Response) {
  const fetched = vi.fn<typeof fetch>(() => Promise.resolve(response));
  vi.stubGlobal("fetch", fetched);
  return fetched;
}

afterEach(() => vi.unstubAllGlobals());

describe("a request", () => {
  it("sends the cookie, JSON and its key", async () => {
    const fetched = answer(Response.json({ id: 7 }, { status: 201 }));
    expect(await post("/api/waitlist-signups", { name: "Ana" }, "k1")).toEqual({ id: 7 });
    expect(fetched).toHaveBeenCalledWith("/api/waitlist-signups", {
      method: "POST",
      headers: { "Content-Type": "application/json", "Idempotency-Key": "k1" },
      body: '{"name":"Ana"}',
      credentials: "include",
      signal: expect.any(AbortSignal),
    });
  });

  it("takes a reply without a body", async () => {
    answer(new Response(null, { status: 204 }));
    expect(await post("/api/scheduler/start", {})).toBeUndefined();
  });

  it("throws the status and the body", async () => {
    answer(new Response("no such luck", { status: 500, statusText: "Internal Server Error" }));
    await expect(request("/api/x")).rejects.toThrow("500: no such luck");
  });

  it("throws the status text when there is no body", async () => {
    answer(new Response("", { status: 401, statusText: "Unauthorized" }));
    const error = await request("/api/x").catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ApiError);
    expect((error as ApiError).message).toBe("401: Unauthorized");
    expect(detailOf(error)).toBeUndefined();
  });

  it("reads the problem, and keeps the raw body in the message", async () => {
    const body = JSON.stringify({ status: 422, detail: "Please check two fields.", errors: { email: "Please enter a valid email address" } });
    answer(new Response(body, { status: 422 }));
    const error = (await request("/api/x").catch((reason: unknown) => reason)) as ApiError;
    expect(error.message).toBe(`422: ${body}`);
    expect(detailOf(error)).toBe("Please check two fields.");
    expect(error.problem.errors).toEqual({ email: "Please enter a valid email address" });
  });
});

describe("reads", () => {
  it("join the segments of their key", async () => {
    const fetched = answer(Response.json([]));
    await fetcher(["/api", "export", "json"]);
    expect(fetched.mock.calls[0]?.[0]).toBe("/api/export/json");
    expect(pathOf(["/api/sponsor-applications"])).toBe("/api/sponsor-applications");
  });
});

describe("an attempt", () => {
  it("stays the same while the answers are", () => {
    const first = attemptFor({ name: "Ana" }, 30, undefined);
    expect(first.key).toMatch(/^[0-9a-f]{32}$/);
    expect(attemptFor({ name: "Ana" }, 60, first)).toBe(first);
    expect(attemptFor({ name: "Ann" }, 60, first)).toMatchObject({ secondsSpent: 60 });
    expect(attemptFor({ name: "Ann" }, 60, first).key).not.toBe(first.key);
  });
});

describe("a request that is put off", () => {
  afterEach(() => vi.useRealTimers());

  const refused = (retryAfter: string) => new Response('{"detail":"Too many"}', { status: 429, headers: { "Retry-After": retryAfter } });

  it("is sent again under its key until it is its turn", async () => {
    vi.useFakeTimers();
    const replies = [refused("1"), refused("1"), Response.json({ id: 7 }, { status: 201 })];
    const fetched = vi.fn<typeof fetch>(() => Promise.resolve(replies.shift()!));
    vi.stubGlobal("fetch", fetched);
    const onWaiting = vi.fn();
    const sent = post("/api/waitlist-signups", { name: "Ana" }, "k1", onWaiting);
    await vi.runAllTimersAsync();
    expect(await sent).toEqual({ id: 7 });
    expect(fetched).toHaveBeenCalledTimes(3);
    expect(fetched.mock.calls.map(([, options]) => (options?.headers as Record<string, string>)["Idempotency-Key"])).toEqual(["k1", "k1", "k1"]);
    expect(onWaiting).toHaveBeenCalledTimes(1);
  });

  it("is given up when the server means hours, or after ten minutes", async () => {
    vi.useFakeTimers();
    vi.stubGlobal("fetch", vi.fn<typeof fetch>(() => Promise.resolve(refused("3600"))));
    await expect(post("/api/waitlist-signups", {}, "k1")).rejects.toThrow("429");
    const fetched = vi.fn<typeof fetch>(() => Promise.resolve(refused("1")));
    vi.stubGlobal("fetch", fetched);
    const sent = expect(post("/api/waitlist-signups", {}, "k1")).rejects.toThrow("429");
    await vi.runAllTimersAsync();
    await sent;
    expect(fetched.mock.calls.length).toBeGreaterThan(15);
  });

  it("waits longer each time, and not all the same", () => {
    const waits = [1, 2, 3, 9].map((tries) => waitOf(2, tries)!);
    const least = [1_000, 2_000, 4_000, 15_000];
    waits.forEach((wait, index) => {
      expect(wait).toBeGreaterThanOrEqual(least[index]!);
      expect(wait).toBeLessThanOrEqual(least[index]! * 3);
    });
    expect(waitOf(undefined, 1)).toBeUndefined();
    expect(waitOf(31, 1)).toBeUndefined();
  });
});
