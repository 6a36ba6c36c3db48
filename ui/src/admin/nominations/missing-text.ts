import type { Nomination } from "./api";

type Incomplete = Pick<Nomination, "state" | "missing" | "slots">;

const takesNoPart = ["withdrawn", "forfeited", "disqualified"];

/** "2 photos, release"; "1 photo to replace" for a photo that was returned and not replaced since; "Nothing" when it is complete. */
export function missingText(nomination: Incomplete): string {
  return [absentText(nomination), toReplaceText(nomination)].filter(Boolean).join(", ") || "Nothing";
}

/** For a list: "2 photos, release missing, 1 photo to replace". Empty when nothing is missing, or when the nomination no longer takes part. */
export function incompleteText(nomination: Incomplete): string {
  if (takesNoPart.includes(nomination.state)) return "";
  const absent = absentText(nomination);
  return [absent && `${absent} missing`, toReplaceText(nomination)].filter(Boolean).join(", ");
}

function absentText(nomination: Incomplete): string {
  const photos = nomination.missing.filter((key) => key !== "release").length - toReplace(nomination);
  const parts = [...(photos > 0 ? [photosText(photos)] : []), ...(nomination.missing.includes("release") ? ["release"] : [])];
  return parts.join(", ");
}

function toReplaceText(nomination: Incomplete): string {
  const photos = toReplace(nomination);
  return photos > 0 ? `${photosText(photos)} to replace` : "";
}

/** The server lists a returned photo as missing until it is replaced. */
function toReplace({ missing, slots }: Incomplete): number {
  return slots.filter(({ key, media }) => media !== null && missing.includes(key)).length;
}

function photosText(photos: number): string {
  return photos === 1 ? "1 photo" : `${photos} photos`;
}
