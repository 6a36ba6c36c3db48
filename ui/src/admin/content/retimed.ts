import { textOf, type Table } from "./fields/field";
import { moved } from "./rows";

const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
const timeOf = (minutes: number) => `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;

/**
 * Members in another order, each as long as before: those between the old and the new place follow each other from the
 * time at which the first of them began, with the pauses where they were.
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
