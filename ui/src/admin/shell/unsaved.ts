import { useEffect, useEffectEvent } from "react";

/** A place that keeps what was typed until it is saved. */
export interface Keeper {
  /** What is not saved, for a person: "changes to the website". */
  what: string;
  /** Saves what can be saved without a question. Resolves to whether something is left. */
  isLeft: () => boolean | Promise<boolean>;
  /** Keeps what is left when the session ends, until the next sign-in. */
  interrupt?: () => void;
  /** Discards what is left. */
  forget: () => void;
}

const keepers = new Set<Keeper>();

/** Registers a place. Returns a function that removes it again. */
export function addKeeper(keeper: Keeper): () => void {
  keepers.add(keeper);
  return () => void keepers.delete(keeper);
}

/** Saves everything that needs no question. Resolves to what would still be lost by signing out, without repetitions. */
export async function findUnsaved(): Promise<string[]> {
  const found = await Promise.all([...keepers].map(async ({ what, isLeft }) => ((await isLeft()) ? [what] : [])));
  return [...new Set(found.flat())];
}

/** Keeps what is typed when a session ends, whose pages are taken away. */
export function interruptUnsaved(): void {
  for (const { interrupt } of keepers) interrupt?.();
}

/** Discards everything after signing out, so that nothing is left for the next person at this computer. */
export function forgetUnsaved(): void {
  for (const { forget } of keepers) forget();
}

/** Registers a form, so that signing out asks first while the form has unsaved input. `interrupt` runs when the session ends. */
export function useUnsaved(what: string, isUnsaved: boolean, interrupt = () => {}): void {
  const latest = useEffectEvent(interrupt);
  useEffect(() => (isUnsaved ? addKeeper({ what, isLeft: () => true, interrupt: () => latest(), forget: () => {} }) : undefined), [what, isUnsaved]);
}
