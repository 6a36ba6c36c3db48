import type { Category, Criterion, Item, Sheet } from "./api";
import type { Refused, Sending } from "./changes";

type OfCategory = Pick<Category, "category" | "subCategory">;

export function isOf(item: OfCategory, { category, subCategory }: OfCategory): boolean {
  return item.category === category && item.subCategory === subCategory;
}

/** The sheets that wait for the judge, those with a second look first. */
export function unfinished(items: readonly Item[]): Item[] {
  const isOpen = ({ state }: Item) => state === "open" || state === "saved";
  return [...items.filter(({ state }) => state === "second_look"), ...items.filter(isOpen)];
}

/** "4 of 12 are confirmed. 2 are saved and wait for you to confirm them." */
export function countText(items: readonly Item[]): string {
  const mine = items.filter(({ state }) => state !== "recused");
  const confirmed = mine.filter(({ state }) => state === "confirmed").length;
  const saved = mine.filter(({ state, missing }) => state === "saved" && missing === 0).length;
  const second = mine.filter(({ state }) => state === "second_look").length;
  if (mine.length > 0 && confirmed === mine.length) return `All ${mine.length} are confirmed. Thank you.`;
  return [
    `${confirmed} of ${mine.length} ${mine.length === 1 ? "is" : "are"} confirmed.`,
    ...(second > 0 ? [second === 1 ? "1 asks for a second look." : `${second} ask for a second look.`] : []),
    ...(saved > 0 ? [saved === 1 ? "1 is complete and waits to be confirmed." : `${saved} are complete and wait to be confirmed.`] : []),
  ].join(" ");
}

/** Whether the values of this sheet, or of all sheets, have reached the server. */
export function savedText({ waiting, isStored, state, notJudged, refused }: Sending, sheet?: string): string {
  const own = waiting.filter((kept) => sheet === undefined || kept.sheet === sheet);
  const count = own.length;
  if (count === 0) return refusedText([...refused].filter(([of]) => sheet === undefined || of === sheet).map(([, one]) => one)) || "All saved";
  if (state === "held") return "Not sent yet: please accept the new terms for judges first.";
  const isOffline = state === "offline";
  if (!isOffline && !own.every((kept) => notJudged.has(kept.sheet))) return "Saving…";
  const kept = count === 1 ? "1 change is kept on this device and will be sent by itself" : `${count} changes are kept on this device and will be sent by themselves`;
  const lost = `this browser keeps nothing, so leave this page open until ${count === 1 ? "1 change is" : `${count} changes are`} sent`;
  return `${isOffline ? "No connection" : "Not being judged at the moment"}: ${isStored ? kept : lost}.`;
}

/** What is lost: points of a sheet, for instance, that is not the judge's any more. Empty when nothing is. */
function refusedText(refused: readonly Refused[]): string {
  const count = refused.reduce((sum, one) => sum + one.count, 0);
  if (count === 0) return "";
  return [count === 1 ? "1 change could not be saved." : `${count} changes could not be saved.`, ...new Set(refused.map(({ message }) => message))].join(" ");
}

/** What signing out would delete. */
export function unsentText(count: number): string {
  return count === 1
    ? "1 change is on this device only. If you sign out now, it is deleted."
    : `${count} changes are on this device only. If you sign out now, they are deleted.`;
}

/** How many of the following nominations were loaded ahead. */
export function readyText(count: number): string {
  const which = count === 1 ? "The next nomination is" : `The next ${count} nominations are`;
  return `${which} on this device: you can go on without a connection.`;
}

/** The criteria without points. */
export function missingOf({ criteria, scores }: Pick<Sheet, "criteria" | "scores">): Criterion[] {
  return criteria.filter(({ key }) => !scores.some(({ criterion }) => criterion === key));
}

/** The sum of all points, less the penalties up to their cap. */
export function totalOf({ scores, penaltyScores, penaltyCap }: Pick<Sheet, "scores" | "penaltyScores" | "penaltyCap">): number {
  const sum = (points: number[]) => points.reduce((all, one) => all + one, 0);
  return sum(scores.map(({ points }) => points)) - Math.min(penaltyCap, sum(penaltyScores.map(({ points }) => points)));
}

/** The typed points; undefined if the scale does not have them. A comma counts as a decimal point. */
export function pointsIn(typed: string, { max, step }: Pick<Criterion, "max" | "step">): number | undefined {
  if (!/^\d+([.,]\d*)?$/.test(typed.trim())) return undefined;
  const points = Number(typed.trim().replace(",", "."));
  return points <= max && Number.isInteger(points / step) ? points : undefined;
}

/** The next step up or down. The first press gives the middle of the scale. */
export function stepped(points: number | undefined, by: 1 | -1, { max, step }: Pick<Criterion, "max" | "step">): number {
  if (points === undefined) return Math.round(max / 2 / step) * step;
  return Math.min(max, Math.max(0, points + by * step));
}
