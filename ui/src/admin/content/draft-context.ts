import { createContext, useContext } from "react";
import type { Versioned } from "../shell/versioned";
import type { Draft } from "./api";

export interface LoadedDraft {
  /** The draft as the server has it. */
  saved: Versioned<Draft>;
  /** Shows a newer one. */
  set: (saved: Versioned<Draft>) => void;
  reload: () => Promise<unknown>;
}

export const DraftContext = createContext<LoadedDraft | null>(null);

export function useDraft(): LoadedDraft {
  const draft = useContext(DraftContext);
  if (!draft) throw new Error("The draft is not loaded.");
  return draft;
}
