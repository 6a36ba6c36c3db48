import { picklist, pipe, record, string, transform, type InferInput } from "valibot";
import type { Detail } from "./api";

const rolesSchema = record(string(), picklist(["", "judge", "head", "reserve"]));

/** The role of each judge, by the judge's number. An empty role: not on this panel. */
export type Roles = InferInput<typeof rolesSchema>;

/** The numbers of the judges with each role. The head judges are among the judges, as the server takes them. */
export const panelSchema = pipe(rolesSchema, transform((chosen) => ({
  judges: judgesWith(chosen, "judge", "head"), heads: judgesWith(chosen, "head"), reserves: judgesWith(chosen, "reserve"),
})));

/** The roles on a panel, for all judges. */
export function rolesOf({ judges, head, reserves }: Detail["panel"], all: { id: number }[]): Roles {
  const members = judges.map(({ id }) => [id, id === head ? "head" : "judge"] as const);
  return Object.fromEntries([...all.map(({ id }) => [id, ""] as const), ...members, ...reserves.map(({ id }) => [id, "reserve"] as const)]);
}

function judgesWith(chosen: Roles, ...wanted: Roles[string][]): number[] {
  return Object.entries(chosen).filter(([, role]) => wanted.includes(role)).map(([id]) => Number(id));
}
