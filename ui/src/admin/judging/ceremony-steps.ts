import type { CeremonyCategory, CeremonyPlace } from "./api";

export type CeremonyStep =
  | { shows: "category"; category: CeremonyCategory }
  /** The place is announced, without its winner. */
  | { shows: "place"; category: CeremonyCategory; place: number }
  | { shows: "names"; category: CeremonyCategory; place: number; winners: CeremonyPlace[] }
  | { shows: "all"; category: CeremonyCategory };

/** What one key press after the other shows: each category from its third place to its first. */
export function stepsOf(categories: readonly CeremonyCategory[]): CeremonyStep[] {
  return categories.flatMap((category): CeremonyStep[] => {
    if (category.places.length === 0) return [];
    const places = [...new Set(category.places.map(({ place }) => place))].sort((a, b) => b - a);
    return [
      { shows: "category", category },
      ...places.flatMap((place): CeremonyStep[] => [
        { shows: "place", category, place },
        { shows: "names", category, place, winners: category.places.filter((one) => one.place === place) },
      ]),
      { shows: "all", category },
    ];
  });
}

/** The pictures that the ceremony shows. */
export function photosOf(categories: readonly CeremonyCategory[]): string[] {
  return categories.flatMap(({ places }) => places.flatMap(({ photo }) => photo ?? []));
}
