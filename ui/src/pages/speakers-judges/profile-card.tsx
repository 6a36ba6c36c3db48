import { useId, useState } from "react";
import type { Profile } from "../../lib/content-types";
import { Avatar } from "../shared/avatar";
import { personAnchor } from "../shared/person-anchor";
import { OutsideLink } from "../../kit/site-link";

export function ProfileCard({ profile, seed }: { profile: Profile; seed: number }) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const { name, role, bioShort, bioFull, handle, url, image, comingSoon, key } = profile;
  const hasMore = Boolean(bioFull) && bioFull !== bioShort;
  return (
    <li id={key ? personAnchor(key) : undefined} className={comingSoon ? "person is-coming" : "person"}>
      <Avatar image={image} name={name} seed={seed} />
      <h3>{name}</h3>
      <p className="person-role">{role}</p>
      <p id={id} className={hasMore ? "needs-script" : undefined}>{open ? bioFull : bioShort}</p>
      {hasMore && <noscript><p>{bioFull}</p></noscript>}
      <p className="person-foot">
        {hasMore && (
          <button type="button" className="text-button needs-script" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
            {open ? "Read Less" : "Read More"}<span className="hidden-text"> about {name}</span>
          </button>
        )}
        {handle && url && <OutsideLink href={url} className="handle">{handle}</OutsideLink>}
      </p>
    </li>
  );
}
