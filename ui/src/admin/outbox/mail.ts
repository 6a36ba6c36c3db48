/** A mail as the outbox lists it. */
export interface Mail {
  id: number;
  createdAt: string;
  state: "waiting" | "sent" | "failed" | "discarded";
  dueAt: string;
  attempts: number;
  sentAt: string | null;
  lastError: string | null;
  recipient: string;
  subject: string;
  kind: string | null;
  registrationId: number | null;
}

/** One mail with its text and the names of its files. */
export interface WholeMail extends Mail {
  messageId: string;
  /** The address is the one that the registration has now. */
  isToPerson: boolean;
  text: string;
  /** Sent so long ago that its files are gone and its text is made anew. */
  isTrimmed: boolean;
  attachments: { fileName: string; contentType: string; bytes: number }[];
}

export const mailStates = { waiting: "Waiting", sent: "Sent", failed: "Failed", discarded: "Discarded" } as const;

export function canBeRetried({ state }: Mail): boolean {
  return state === "waiting" || state === "failed";
}

/** Whether it went to a person whose address may be wrong: not to an organiser, and not given up. */
export function canBeCorrected({ kind, state, isToPerson }: WholeMail): boolean {
  return kind !== null && state !== "discarded" && isToPerson;
}

/** 1536 as "2 KB". */
export function sizeOf(bytes: number): string {
  if (bytes >= 1_000_000_000) return `${(bytes / 1_000_000_000).toFixed(1)} GB`;
  return bytes < 1_000_000 ? `${Math.max(1, Math.round(bytes / 1000))} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
