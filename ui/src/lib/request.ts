import { ApiError } from "./api-error";

interface Options {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Sent as JSON. */
  body?: unknown;
  /** A repeated request with the same key is answered as the first was. */
  idempotencyKey?: string;
  signal?: AbortSignal;
}

/** Sends one request with the session's cookie; throws an `ApiError` for any reply that is not OK. */
export async function request(path: string, { method = "GET", body, idempotencyKey, signal }: Options = {}): Promise<Response> {
  const headers: Record<string, string> = {};
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

/** A server that is silent for so long will not answer; with the same key it may be asked again. */
const timeout = 30_000;

/** Many people behind one address take turns: a request is repeated for so long before its refusal is shown. */
const giveUpAfter = 600_000;
const longestWait = 30_000;

/** `onWaiting` is called once when the server lets others go first. */
export async function post<Reply>(path: string, body: unknown, idempotencyKey?: string, onWaiting: () => void = () => {}): Promise<Reply> {
  const response = await inTurn(() => request(path, { method: "POST", body, idempotencyKey, signal: AbortSignal.timeout(timeout) }), onWaiting);
  const text = await response.text();
  return (text ? JSON.parse(text) : undefined) as Reply;
}

/** Repeats what the server puts off for some seconds (429 with `Retry-After`), later each time, so that a crowd spreads out. */
async function inTurn(send: () => Promise<Response>, onWaiting: () => void): Promise<Response> {
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

/** In milliseconds; nothing where the server means more than half a minute. */
export function waitOf(retryAfter: number | undefined, tries: number): number | undefined {
  if (retryAfter === undefined || retryAfter * 1000 > longestWait) return undefined;
  return Math.min(longestWait, Math.max(retryAfter, 1) * 1000 * 2 ** (tries - 1)) * (0.5 + Math.random());
}
