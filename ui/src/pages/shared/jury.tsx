import type { Content, Profile } from "../../lib/content-types";

export interface JuryContent {
  title: string;
  introduction: string;
  judges: Pick<Profile, "name" | "role" | "bioShort" | "image">[];
}

/** The judges who have a photo. */
export function juryOf({ people, competition }: Content): JuryContent {
  const judges = people.groups.filter(({ type }) => type === "judge").flatMap(({ profiles }) => profiles);
  return {
    title: competition.juryTitle,
    introduction: competition.juryIntroduction,
    judges: judges.filter(({ image, comingSoon }) => image && !comingSoon).map(({ name, role, bioShort, image }) => ({ name, role, bioShort, image })),
  };
}

/** Nothing until a judge has a photo. */
export function Jury({ title, introduction, judges }: JuryContent) {
  if (judges.length === 0) return null;
  return (
    <section className="section frame" aria-labelledby="jury-title">
      <div className="section-head">
        <h2 id="jury-title">{title}</h2>
        {introduction && <p className="lead">{introduction}</p>}
      </div>
      <ul className={judges.length === 3 ? "people people-three" : "people"}>
        {judges.map(({ name, role, bioShort, image }) => (
          <li key={name} className="person">
            {image && <img className="avatar picture" loading="lazy" sizes="(min-width: 48rem) 33vw, 100vw" {...image} alt={name} />}
            <h3>{name}</h3>
            <p className="person-role">{role}</p>
            <p>{bioShort}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
