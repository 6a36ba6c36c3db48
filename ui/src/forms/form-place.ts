import { createContext, useContext } from "react";
import type { LegalText } from "../lib/content-types";
import type { Offered } from "./rules/rules";

/** The form that a field belongs to, and its consent documents. */
interface FormPlace {
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

/** A text that is agreed to. Its version is kept with the agreement, so that it is known what was agreed to. */
export type LegalDocument = Omit<LegalText, "sample">;

/** Field name to the version that was agreed to there. */
export function versionsOf(documents: Record<string, LegalDocument>): Record<string, string> {
  return Object.fromEntries(Object.entries(documents).map(([field, document]) => [field, document.version]));
}

/** The document without its `sample` mark, which concerns only the organiser. */
export function documentOf({ title, version, introduction, bindingNote, sections }: LegalDocument): LegalDocument {
  return { title, version, introduction, bindingNote, sections };
}
