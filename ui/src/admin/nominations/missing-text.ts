import type { Nomination } from "./api";

/** "2 photos, release"; "Nothing" when it is complete. */
export function missingText({ missing }: Pick<Nomination, "missing">): string {
  const photos = missing.filter((key) => key !== "release").length;
  const parts = [...(photos > 0 ? [photos === 1 ? "1 photo" : `${photos} photos`] : []), ...(missing.includes("release") ? ["release"] : [])];
  return parts.join(", ") || "Nothing";
}
