import type { People, Profile } from "../../lib/content-types";

export type Speakers = Record<string, Pick<Profile, "name" | "role">>;

/** The people whom a line of the schedule may name, by key. A place that is not filled yet names nobody. */
export function speakersOf({ groups }: People): Speakers {
  const profiles = groups.flatMap((group) => group.profiles).filter(({ key, comingSoon }) => key && !comingSoon);
  return Object.fromEntries(profiles.map(({ key, name, role }) => [key, { name, role }]));
}
