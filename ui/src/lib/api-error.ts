/** The server's words about a failure (RFC 9457). */
export interface Problem {
  title?: string;
  detail?: string;
  /** Field name to message, for a form that broke its rules. */
  errors?: Record<string, string>;
  /** For programs, where a status has more than one meaning: "password_required". */
  code?: string;
}

/** A reply that was not OK. Its message is `"{status}: {body}"`; a person reads the problem's detail. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  readonly problem: Problem;
  /** In how many seconds to try again, where the server says so. */
  readonly retryAfter: number | undefined;

  constructor(status: number, statusText: string, body: string, retryAfter = NaN) {
    super(`${status}: ${body || statusText}`);
    this.status = status;
    this.retryAfter = Number.isFinite(retryAfter) ? retryAfter : undefined;
    this.problem = parsedProblem(body);
  }
}

/** What to tell a person about a failure, or nothing where only the machine has words for it. */
export function detailOf(error: unknown): string | undefined {
  return error instanceof ApiError ? error.problem.detail || undefined : undefined;
}

function parsedProblem(body: string): Problem {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" && value !== null ? (value as Problem) : {};
  } catch {
    return {};
  }
}
