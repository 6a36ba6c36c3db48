import { useAction } from "../shell/use-action";
import { take, useCategory, type Step } from "./api";

/** Changes the shown category; false when the server refused. */
export type Take = (step: Step, done: { title: string; message: string }) => Promise<boolean>;

/** Reads a category and changes it step by step. */
export function useCategorySteps(path: string) {
  const read = useCategory(path);
  const { busy, act } = useAction();
  const takeStep: Take = async (step, done) => {
    let isTaken = false;
    await act(
      async () => {
        await read.mutate(await take(path, step), { revalidate: false });
        isTaken = true;
      },
      done, "Nothing was changed. Please try again.",
    );
    return isTaken;
  };
  return { read, busy, take: takeStep };
}
