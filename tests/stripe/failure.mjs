// What Stripe says when it refuses: the error object inside `{"error": …}` with its status. Whether the work had
// begun decides if the answer is kept under an idempotency key: what fails validation is not.

export class Refusal extends Error {
  constructor(status, error, { begun = false } = {}) {
    super(error.message);
    this.status = status;
    this.error = { type: "invalid_request_error", ...error };
    if (error.code) this.error.doc_url = `https://stripe.com/docs/error-codes/${error.code.replaceAll("_", "-")}`;
    this.begun = begun;
  }

  get body() {
    return { error: this.error };
  }
}

/** A parameter is wrong; nothing has begun. */
export const invalid = (code, param, message) => new Refusal(400, { code, param, message });

/** The work had begun and the state of things forbids it. */
export const refused = (error) => new Refusal(400, error, { begun: true });

export const missing = (kind, id, param) =>
  new Refusal(404, { code: "resource_missing", param, message: `No such ${kind}: '${id}'` }, { begun: true });

export const noKey = () => new Refusal(401, { message: "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth." });
export const wrongKey = (key) => new Refusal(401, { message: `Invalid API Key provided: ${key.slice(0, 8)}****${key.slice(-4)}` });
export const unknownPath = (method, path) =>
  new Refusal(404, { message: `Unrecognized request URL (${method}: ${path}). If you are trying to list objects, remove the trailing slash.` });

export const serverError = () => new Refusal(500, { type: "api_error", message: "An unknown error occurred" });
export const tooMany = () => new Refusal(429, { code: "rate_limit", message: "Request rate limit exceeded. Learn more at https://stripe.com/docs/rate-limits." });
export const otherStatus = (status) => new Refusal(status, { type: "api_error", message: `The stand-in was told to answer ${status}.` });
