import { ApiError } from "../../lib/api-error";

/** Runs a task for which the server may require the password first. */
export type Confirmed = <Result>(task: () => Promise<Result>) => Promise<Result>;

/**
 * Runs the task. If the server requires the password, `ask` prompts for it and the task runs again. `ask` rejects with the
 * server's refusal if the prompt is cancelled.
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
