/** The server's description of a failure (RFC 9457). */
export interface Problem {
  title?: string;
  detail?: string;
  /** Messages by field name, if the form failed validation. */
  errors?: Record<string, string>;
  /** Tells apart failures with the same status, such as "password_required". */
  code?: string;
}

/** A response that was not OK. Its message is `"{status}: {body}"`; people are shown the problem's `detail`. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  readonly problem: Problem;
  /** Seconds until a retry makes sense, if the server sent `Retry-After`. */
  readonly retryAfter: number | undefined;

  constructor(status: number, statusText: string, body: string, retryAfter = NaN) {
    super(`${status}: ${body || statusText}`);
    this.status = status;
    this.retryAfter = Number.isFinite(retryAfter) ? retryAfter : undefined;
    this.problem = parsedProblem(body);
  }
}

/** The text of a failure that people can be shown, if the server sent one. */
export function detailOf(error: unknown): string | undefined {
  return error instanceof ApiError ? error.problem.detail || undefined : undefined;
}

/** What the server refused, by field. */
export function errorsOf(error: unknown): Record<string, string> {
  return (error instanceof ApiError && error.problem.errors) || {};
}

function parsedProblem(body: string): Problem {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" && value !== null ? (value as Problem) : {};
  } catch {
    return {};
  }
}
