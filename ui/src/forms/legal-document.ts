/** A text that is agreed to, as the event's content gives it. */
export interface LegalDocument {
  title: string;
  /** Kept with the agreement, so that it is known what was agreed to. */
  version: string;
  introduction: string;
  bindingNote: string;
  sections: { title: string; text: string }[];
}

/** Field name to the version that was agreed to there. */
export function versionsOf(documents: Record<string, LegalDocument>): Record<string, string> {
  return Object.fromEntries(Object.entries(documents).map(([field, document]) => [field, document.version]));
}
