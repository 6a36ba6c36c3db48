import { useEffect } from "react";

/** Keeps what is typed until it is saved. */
export interface Keeper {
  /** What is not saved, for a person: "changes to the website". */
  what: string;
  /** Saves what it can by itself. Whether something is left. */
  isLeft: () => boolean | Promise<boolean>;
  /** Gives up what is left. */
  forget: () => void;
}

const keepers = new Set<Keeper>();

/** The function that it returns takes it out again. */
export function addKeeper(keeper: Keeper): () => void {
  keepers.add(keeper);
  return () => void keepers.delete(keeper);
}

/** Saves what saves itself. What would be lost by signing out now, each once. */
export async function findUnsaved(): Promise<string[]> {
  const found = await Promise.all([...keepers].map(async ({ what, isLeft }) => ((await isLeft()) ? [what] : [])));
  return [...new Set(found.flat())];
}

/** After signing out nothing stays behind for the next person. */
export function forgetUnsaved(): void {
  for (const { forget } of keepers) forget();
}

/** For a form that is gone with its page: signing out asks first while something in it is not saved. */
export function useUnsaved(what: string, isUnsaved: boolean): void {
  useEffect(() => (isUnsaved ? addKeeper({ what, isLeft: () => true, forget: () => {} }) : undefined), [what, isUnsaved]);
}
