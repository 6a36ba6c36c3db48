import { ApiError } from "./api-error";

interface Options {
  method?: "GET" | "POST" | "PATCH" | "DELETE";
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
  throw new ApiError(response.status, response.statusText, await response.text());
}

/** A server that is silent for so long will not answer; with the same key it may be asked again. */
const patience = 30_000;

export async function post<Reply>(path: string, body: unknown, idempotencyKey?: string): Promise<Reply> {
  const response = await request(path, { method: "POST", body, idempotencyKey, signal: AbortSignal.timeout(patience) });
  const text = await response.text();
  return (text ? JSON.parse(text) : undefined) as Reply;
}
