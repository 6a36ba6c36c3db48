import type { Profile } from "../../lib/content-types";
import { Avatar } from "../shared/avatar";
import { personAnchor } from "../shared/person-anchor";
import { Island } from "../../kit/island";
import { OutsideLink } from "../../kit/site-link";
import { ReadMore } from "./read-more";

export function ProfileCard({ profile, seed }: { profile: Profile; seed: number }) {
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
