import type { Card, PeopleGroup } from "../../lib/content-types";
import { Art } from "../../brand/art";
import { Divider } from "../../brand/divider";
import { PageHead } from "../../kit/page-head";
import { ActionLink } from "../../kit/site-link";
import { ProfileCard } from "./profile-card";
import type { Data } from "./data.server";

export function View({ data: { people } }: { data: Data }) {
  const { closing } = people;
  return (
    <>
      <PageHead title={people.title} lead={people.introduction} art={<Art picture={{ image: "", alt: "", art: "talks" }} eager />} />
      {people.groups.map((group, index) => <Group key={group.type} group={group} seed={index * 10} />)}
      <section className="section closing" aria-labelledby="stage-title">
        <div className="frame">
          <h2 id="stage-title">{closing.title}</h2>
          <p className="lead">{closing.text}</p>
          <div className="buttons">
            {closing.buttons.map(({ label, href }, index) => (
              <ActionLink key={href} href={href} fullLoad look={index === 0 ? "primary" : "outline"}>{label}</ActionLink>
            ))}
          </div>
        </div>
      </section>
    </>
  );
}

function Group({ group, seed }: { group: PeopleGroup; seed: number }) {
  const id = `group-${group.type}`;
  return (
    <section className="group frame" aria-labelledby={id}>
      <div className="section-head">
        <h2 id={id}>{group.title}</h2>
        <p className="lead">{group.introduction}</p>
      </div>
      <ul className="people">
        {group.profiles.map((profile, index) => <ProfileCard key={profile.name + index} profile={profile} seed={seed + index} />)}
        <Invitation {...group.invitation} />
      </ul>
    </section>
  );
}

function Invitation({ title, text, link }: Card) {
  return (
    <li className="person invitation">
      <Divider />
      <h3>{title}</h3>
      <p>{text}</p>
      <ActionLink href={link.href} look="outline">{link.label}</ActionLink>
    </li>
  );
}
