import { textOf, type Table } from "./fields/field";
import { moved } from "./rows";

const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
const timeOf = (minutes: number) => `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;

/**
 * Moves a member and recomputes the times between its old and its new index: each member keeps its length, each gap keeps
 * its position, and the first of them starts when the first one started before.
 */
export function retimed(members: readonly Table[], from: number, to: number): Table[] {
  const first = Math.min(from, to);
  const last = Math.max(from, to);
  const next = moved(members, from, to);
  let begins = minutesOf(textOf(members[first]?.start));
  return next.map((member, index) => {
    if (index < first || index > last) return member;
    const length = minutesOf(textOf(member.end)) - minutesOf(textOf(member.start));
    const pause = index < last ? minutesOf(textOf(members[index + 1]?.start)) - minutesOf(textOf(members[index]?.end)) : 0;
    const result = { ...member, start: timeOf(begins), end: timeOf(begins + length) };
    begins += length + pause;
    return result;
  });
}
