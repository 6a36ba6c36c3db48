import { ApiError } from "./api-error";

interface Options {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Sent as JSON. */
  body?: unknown;
  /** A repeated request with the same key is answered as the first was. */
  idempotencyKey?: string;
  signal?: AbortSignal;
  headers?: Record<string, string>;
}

/** Sends one request with the session's cookie; throws an `ApiError` for any reply that is not OK. */
export async function request(path: string, { method = "GET", body, idempotencyKey, signal, headers: more }: Options = {}): Promise<Response> {
  const headers = { ...more };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (idempotencyKey !== undefined) headers["Idempotency-Key"] = idempotencyKey;
  const response = await fetch(path, {
    method,
    headers,
    body: body === undefined ? null : JSON.stringify(body),
    credentials: "include",
    signal: signal ?? null,
  });
  if (response.ok) return response;
  throw new ApiError(response.status, response.statusText, await response.text(), Number(response.headers.get("Retry-After") ?? NaN));
}

/** The same for a reply that is JSON. */
export async function requestJson<Reply>(path: string, options?: Options): Promise<Reply> {
  return (await (await request(path, options)).json()) as Reply;
}

/** The same for a reply whose body says nothing. */
export async function send(method: Options["method"], path: string, body?: unknown): Promise<void> {
  await request(path, { method, body });
}

/** In milliseconds. After this a request is given up; it can be repeated with the same key. */
const timeout = 30_000;

/** In milliseconds. Many people behind one address are let in one after the other: a refused request is repeated for this long before the refusal is shown. */
const giveUpAfter = 600_000;
const longestWait = 30_000;

/** Sends a form. `onWaiting` is called once if the server asks to wait. */
export async function post<Reply>(path: string, body: unknown, idempotencyKey?: string, onWaiting: () => void = () => {}): Promise<Reply> {
  const response = await withRetries(() => request(path, { method: "POST", body, idempotencyKey, signal: AbortSignal.timeout(timeout) }), onWaiting);
  const text = await response.text();
  return (text ? JSON.parse(text) : undefined) as Reply;
}

/** Repeats a request that the server postpones by some seconds (429 with `Retry-After`). The wait grows each time, so that many clients spread out. */
async function withRetries(send: () => Promise<Response>, onWaiting: () => void): Promise<Response> {
  const began = Date.now();
  for (let tries = 1; ; tries++) {
    try {
      return await send();
    } catch (error) {
      const wait = error instanceof ApiError && error.status === 429 ? waitOf(error.retryAfter, tries) : undefined;
      if (wait === undefined || Date.now() + wait - began > giveUpAfter) throw error;
      if (tries === 1) onWaiting();
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
}

/** In milliseconds; undefined if the server asks to wait for more than half a minute. */
export function waitOf(retryAfter: number | undefined, tries: number): number | undefined {
  if (retryAfter === undefined || retryAfter * 1000 > longestWait) return undefined;
  return Math.min(longestWait, Math.max(retryAfter, 1) * 1000 * 2 ** (tries - 1)) * (0.5 + Math.random());
}
