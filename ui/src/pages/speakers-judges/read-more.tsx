import { useState } from "react";
import { OutsideLink } from "../../kit/site-link";
import type { Profile } from "../../lib/content-types";

type Props = Pick<Profile, "name" | "bioShort" | "bioFull" | "handle" | "url"> & { id: string };

/** A short text with the button that shows the full one in its place, and the person's handle. */
export function ReadMore({ id, name, bioShort, bioFull, handle, url }: Props) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <p id={id} className="needs-script">{open ? bioFull : bioShort}</p>
      <p className="person-foot">
        <button type="button" className="text-button needs-script" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
          {open ? "Read Less" : "Read More"}<span className="hidden-text"> about {name}</span>
        </button>
        {handle && url && <OutsideLink href={url} className="handle">{handle}</OutsideLink>}
      </p>
    </>
  );
}
