import { ApiError } from "../lib/api-error";
import { request } from "../lib/request";

/** The calls by which people sign in with their email address. `path` is that of the page's API. */
export const sessionCalls = (path: string) => ({
  /** The answer is the same whether the address is known or not. */
  askForLink: async (email: string) => void await request(`${path}/links`, { method: "POST", body: { email } }),
  signIn: async (proof: { token: string } | { email: string; code: string }) => void await request(`${path}/session`, { method: "POST", body: proof }),
  signOut: async (everywhere: boolean) => void await (everywhere ? request(`${path}/session/end-all`, { method: "POST", body: {} }) : request(`${path}/session`, { method: "DELETE" })),
});

export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}

/** Whether the server will not accept the same request later either. */
export function isFinal(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status < 500 && error.status !== 429 && error.status !== 408;
}

/** `#…` or `#token=…`, as emails have it. */
export function tokenIn(hash: string): string | undefined {
  return /^#(?:token=)?([\w-]{20,})$/.exec(hash)?.[1];
}

/**
 * Signs in with the address's token, if there is one. Then the token is removed, so that it is not shared along with the
 * address. After a failure that is not about the link, it stays for the next try.
 */
export async function signInByLink(signIn: (credentials: { token: string }) => Promise<unknown>): Promise<void> {
  const token = tokenIn(location.hash);
  if (!token) return;
  let isKept = false;
  try {
    await signIn({ token });
  } catch (error) {
    isKept = !isFinal(error);
    throw error;
  } finally {
    if (!isKept) history.replaceState(history.state, "", location.pathname + location.search);
  }
}
