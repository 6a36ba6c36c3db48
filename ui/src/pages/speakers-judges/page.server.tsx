import type { Card, PeopleGroup, Profile } from "../../lib/content-types";
import { Art } from "../../brand/art";
import { Divider } from "../../brand/divider";
import { PageHead } from "../../kit/page-head";
import { ActionLink, OutsideLink } from "../../kit/site-link";
import { Island } from "../../kit/island";
import type { Head, PageInput } from "../../lib/page";
import { Avatar, personAnchor } from "../shared/avatar";
import { ReadMore } from "./read-more";

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

function ProfileCard({ profile, seed }: { profile: Profile; seed: number }) {
  const { name, role, bioShort, bioFull, handle, url, image, comingSoon, key } = profile;
  const hasMore = Boolean(bioFull) && bioFull !== bioShort;
  return (
    <li id={key ? personAnchor(key) : undefined} className={comingSoon ? "person is-coming" : "person"}>
      <Avatar image={image} name={name} seed={seed} />
      <h3>{name}</h3>
      <p className="person-role">{role}</p>
      {hasMore ? (
        <>
          <noscript><p>{bioFull}</p></noscript>
          <Island name="read-more" of={ReadMore} props={{ id: `bio-${seed}`, name, bioShort, bioFull, handle, url }} />
        </>
      ) : (
        <>
          <p>{bioShort}</p>
          <p className="person-foot">{handle && url && <OutsideLink href={url} className="handle">{handle}</OutsideLink>}</p>
        </>
      )}
    </li>
  );
}

type Data = ReturnType<typeof data>;

export function data({ content }: PageInput) {
  return { name: content.event.name, description: content.descriptions.speakersJudges, people: content.people };
}

export function head({ name, people, description }: Data): Head {
  return { title: `${people.title} - ${name}`, description };
}
