import { createContext, useContext } from "react";
import type { LegalDocument } from "./legal-document";
import type { Offered } from "./rules/rules";

/** The form that a field belongs to, and its consent documents. */
export interface FormPlace {
  /** Distinguishes the ids of two forms on one page. */
  id: string;
  /** Field name to the text that is agreed to there. */
  documents: Record<string, LegalDocument>;
  /** What the event offers to choose from. */
  offered?: Offered;
}

export const FormPlaceContext = createContext<FormPlace>({ id: "form", documents: {} });

export function useFormPlace(): FormPlace {
  return useContext(FormPlaceContext);
}
