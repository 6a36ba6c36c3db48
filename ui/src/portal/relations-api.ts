import { request } from "../lib/request";

/** How a competitor knows a judge. */
export interface Relation {
  judge: string;
  kind: keyof typeof relationKinds;
  note: string | null;
  /** Absent if it counts; `requested` waits for the organiser. Given by the server alone. */
  state?: "requested" | "rejected";
  /** Why the organiser decided so. */
  answer?: string | null;
}

export const relationKinds = { trained_by: "I was trained by", works_for: "I work for", related_to: "I am related to" } as const;

/** The judges whom a competitor may know, and whom they know. */
export interface KnownJudges {
  /** The judges whom the site names. */
  judges: string[];
  /** What the competitor has declared. */
  items: Relation[];
}

/** "I was trained by Ada Sample" */
export function relationText({ judge, kind }: Relation): string {
  return `${relationKinds[kind]} ${judge}`;
}

export async function readRelations(): Promise<KnownJudges> {
  return (await (await request("/api/artist/relations")).json()) as KnownJudges;
}

/** Replaces all relations that the competitor has declared. */
export async function declareRelations(items: Relation[]): Promise<KnownJudges> {
  const reply = await request("/api/artist/relations", { method: "PUT", body: { items } });
  return (await reply.json()) as KnownJudges;
}
