import { ApiError } from "../../lib/api-error";

/** Runs a task that the server may want the password for first. */
export type Confirmed = <Result>(task: () => Promise<Result>) => Promise<Result>;

/**
 * Runs the task. Where the server wants the password first, `ask` gets it there, and the task runs again; whoever
 * leaves that question unanswered has the server's refusal.
 */
export async function runConfirmed<Result>(task: () => Promise<Result>, ask: (refusal: ApiError) => Promise<void>): Promise<Result> {
  try {
    return await task();
  } catch (error) {
    if (!(error instanceof ApiError) || error.problem.code !== "password_required") throw error;
    await ask(error);
    return task();
  }
}
