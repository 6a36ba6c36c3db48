import { ApiError } from "../lib/api-error";

export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}

/** `#…` or `#token=…`, as emails have it. */
export function tokenIn(hash: string): string | undefined {
  return /^#(?:token=)?([\w-]{20,})$/.exec(hash)?.[1];
}

/** Removes the token from the address at once, so that it is not shared along with it. */
export function takeToken(): string | undefined {
  const token = tokenIn(location.hash);
  if (token) history.replaceState(history.state, "", location.pathname + location.search);
  return token;
}
