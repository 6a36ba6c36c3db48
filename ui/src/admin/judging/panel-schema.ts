import { picklist, pipe, rawCheck, record, string, transform, type InferInput } from "valibot";
import type { Detail } from "./api";

const rolesSchema = record(string(), picklist(["", "judge", "head", "reserve"]));

/** The role of each judge, by the judge's number. An empty role: not on this panel. */
export type Roles = InferInput<typeof rolesSchema>;

/**
 * The roles of these judges, in the order of the form. The output is what the server takes: the head judge is one of the judges.
 * A missing head judge is an error of the first judge.
 */
export const panelSchema = ([first]: string[]) => pipe(
  rolesSchema,
  rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const input = dataset.value;
    const refuse = (key: string, message: string) => addIssue({ message, path: [{ type: "object", origin: "value", input, key, value: input[key] }] });
    const [head, ...others] = judgesWith(input, "head");
    others.forEach((id) => refuse(String(id), "There is one head judge in a category"));
    if (head === undefined && first !== undefined) refuse(first, "Please choose the head judge");
  }),
  transform((chosen) => {
    const [head = 0] = judgesWith(chosen, "head");
    return { judges: judgesWith(chosen, "judge", "head"), head, reserves: judgesWith(chosen, "reserve") };
  }),
);

/** The roles on a panel, for all judges. */
export function rolesOf({ judges, head, reserves }: Detail["panel"], all: { id: number }[]): Roles {
  const members = judges.map(({ id }) => [id, id === head ? "head" : "judge"] as const);
  return Object.fromEntries([...all.map(({ id }) => [id, ""] as const), ...members, ...reserves.map(({ id }) => [id, "reserve"] as const)]);
}

function judgesWith(chosen: Roles, ...wanted: Roles[string][]): number[] {
  return Object.entries(chosen).filter(([, role]) => wanted.includes(role)).map(([id]) => Number(id));
}
