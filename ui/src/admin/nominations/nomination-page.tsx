import { useState } from "react";
import { Link } from "wouter";
import { ApiError } from "../../lib/api-error";
import { serverNow } from "../../lib/server-clock";
import { Loaded } from "../../kit/loaded";
import { Video } from "../../kit/video";
import { AddressLink } from "../shell/address-link";
import { AdminTitle } from "../shell/admin-title";
import { Instant } from "../shell/instant";
import { recordPath } from "../shell/kinds";
import { useEventClock } from "../shell/admin-context";
import { StatusMark } from "../shell/status-mark";
import { photoPath, relationKinds, useNomination, type Nomination, type Slot } from "./api";
import { Decide } from "./decide";
import { missingText } from "./missing-text";
import { PhotoZoom } from "./photo-zoom";

/** One nomination: its photos side by side, and what the organiser decides. */
export function NominationPage({ id }: { id: number }) {
  const read = useNomination(id);
  const missing = (error: unknown) => error instanceof ApiError && error.status === 404 && <p className="empty">There is no nomination with the number {id}.</p>;
  return (
    <>
      <p className="way-back"><AddressLink to={{ id: null }} arrives>All nominations</AddressLink></p>
      <header className="admin-head"><AdminTitle>{read.data ? `${read.data.code} ${read.data.label}` : `Nomination ${id}`}</AdminTitle></header>
      <Loaded of={read} loading="Loading the nomination…" failed="This nomination could not be loaded." otherwise={(error) => missing(error) || undefined} keepsData>
        {(nomination) => (
          <>
            <Facts nomination={nomination} />
            <Decide nomination={nomination} onDecided={(decided) => read.mutate(decided, { revalidate: false })} />
            <Photos nomination={nomination} />
          </>
        )}
      </Loaded>
    </>
  );
}

function Facts({ nomination }: { nomination: Nomination }) {
  const { state, name, businessName, email, entryId, handedInAt, deadline, extendedUntil, release, reason, relations } = nomination;
  return (
    <dl className="mail-facts">
      <div><dt>State</dt><dd><StatusMark status={`nomination_${state}`} /></dd></div>
      <div><dt>Entrant</dt><dd><Link href={recordPath("competition-entries", entryId)}>{name}</Link>{businessName && `, ${businessName}`}<br />{email}</dd></div>
      <div><dt>Missing</dt><dd>{missingText(nomination)}</dd></div>
      <div><dt>Model release</dt><dd>{release.signedAt ? <>Signed <Instant at={release.signedAt} /></> : "Not signed"}</dd></div>
      {deadline && <div><dt>{extendedUntil ? "Extended until" : "Deadline"}</dt><dd><Deadline at={deadline} /></dd></div>}
      {handedInAt && <div><dt>Handed in</dt><dd><Instant at={handedInAt} /></dd></div>}
      {relations.length > 0 && (
        <div className="is-long">
          <dt>Knows these judges, as the competitor says</dt>
          <dd>{relations.map(({ judge, kind, note }) => <span key={`${judge} ${kind}`} className="line">{relationKinds[kind]} {judge}{note && `: ${note}`}</span>)}</dd>
        </div>
      )}
      {reason && <div className="is-long"><dt>Reason, as the competitor reads it</dt><dd className="long-text">{reason}</dd></div>}
    </dl>
  );
}

/** With its year where that isn't the current one. */
function Deadline({ at }: { at: string }) {
  const clock = useEventClock();
  const [today] = useState(() => clock.day(serverNow()));
  return clock.day(at).slice(0, 4) === today.slice(0, 4) ? <Instant at={at} /> : <time dateTime={at}>{clock.long(at)}</time>;
}

function Photos({ nomination }: { nomination: Nomination }) {
  const [zoomed, setZoomed] = useState<string>();
  const there = nomination.slots.filter(({ media }) => media?.kind === "photo");
  const at = there.findIndex(({ key }) => key === zoomed);
  return (
    <section className="admin-part" aria-labelledby="photos-title">
      <h2 id="photos-title">Photos</h2>
      <ul className="review-photos">
        {nomination.slots.map((slot) => (
          <li key={slot.key}><Photo nomination={nomination} slot={slot} onZoom={() => setZoomed(slot.key)} /></li>
        ))}
      </ul>
      {at >= 0 && <PhotoZoom nomination={nomination} slots={there} at={at} onShow={setZoomed} onClose={() => setZoomed(undefined)} />}
    </section>
  );
}

function Photo({ nomination, slot, onZoom }: { nomination: Nomination; slot: Slot; onZoom: () => void }) {
  const { label, required, media } = slot;
  const isAsked = nomination.state === "returned" && nomination.returnedSlots?.includes(slot.key);
  return (
    <figure className="review-photo" data-returned={isAsked || undefined}>
      {media?.kind === "video" && <Video source={photoPath(nomination.id, slot, "full")} width={media.width} height={media.height} label={label} />}
      {media?.kind === "photo" && <button type="button" onClick={onZoom} aria-label={`Zoom: ${label}`}><img src={photoPath(nomination.id, slot, "full")} width={media.width} height={media.height} alt="" loading="lazy" /></button>}
      {!media && <p className="review-empty">{required ? "Missing" : "Optional, not sent"}</p>}
      <figcaption>
        <strong>{label}</strong>{isAsked && " (asked for again)"}
        {media && <span className="row-email figures">{media.width} × {media.height}{media.takenAt && `, taken ${media.takenAt}`}{media.software && `, ${media.software}`}</span>}
        {media?.alike.map(({ nominationId, code, label: where }) => (
          <span key={`${code} ${where}`} className="line">Shows the same as <AddressLink to={{ id: String(nominationId) }} arrives>{code}</AddressLink>, {where}</span>
        ))}
      </figcaption>
    </figure>
  );
}
