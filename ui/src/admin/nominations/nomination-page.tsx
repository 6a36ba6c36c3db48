import { useState, type ReactNode } from "react";
import { Link } from "wouter";
import { ApiError } from "../../lib/api-error";
import { serverNow } from "../../lib/server-clock";
import { Button } from "../../kit/button";
import { Loaded } from "../../kit/loaded";
import { AddressLink } from "../shell/address-link";
import { AdminTitle } from "../shell/admin-title";
import { Instant } from "../shell/instant";
import { recordPath } from "../shell/kinds";
import { useEventClock } from "../shell/admin-context";
import { StatusMark } from "../shell/status-mark";
import { useAction } from "../shell/use-action";
import type { Versioned } from "../shell/versioned";
import { relationKinds, replaceLink, useNomination, type Nomination } from "./api";
import { Decide } from "./decide";
import { missingText } from "./missing-text";
import { Paper } from "./paper";
import { Photo } from "./photo";
import { PhotoZoom } from "./photo-zoom";

/** One nomination: its photos side by side, and what the organiser decides. */
export function NominationPage({ id }: { id: number }) {
  const read = useNomination(id);
  const show = (changed?: Versioned<Nomination>) => changed ? read.mutate(changed, { revalidate: false }) : read.mutate();
  const missing = (error: unknown) => error instanceof ApiError && error.status === 404 && <p className="empty">There is no nomination with the number {id}.</p>;
  return (
    <>
      <p className="way-back"><AddressLink to={{ id: null }} arrives>All nominations</AddressLink></p>
      <header className="admin-head"><AdminTitle>{read.data ? `${read.data.value.code} ${read.data.value.label}` : `Nomination ${id}`}</AdminTitle></header>
      <Loaded of={read} loading="Loading the nomination…" failed="This nomination could not be loaded." otherwise={(error) => missing(error) || undefined} keepsData>
        {(opened) => (
          <>
            <Facts nomination={opened.value} />
            {opened.value.release.paper.media && <Paper opened={opened} onChanged={show} />}
            <Decide opened={opened} onChanged={show} />
            <Photos nomination={opened.value} />
          </>
        )}
      </Loaded>
    </>
  );
}

function Facts({ nomination }: { nomination: Nomination }) {
  const { state, name, businessName, email, entryId, handedInAt, deadline, extendedUntil, reason, relations } = nomination;
  const { busy, act } = useAction();
  const newLink = () => act(() => replaceLink(nomination), { title: "New Link", message: `It is on its way to ${email}. Former links and sessions are ended.` }, "The email could not be sent. Please try again.");
  return (
    <dl className="mail-facts">
      <div><dt>State</dt><dd><StatusMark status={`nomination_${state}`} /></dd></div>
      <div><dt>Entrant</dt><dd><Link href={recordPath("competition-entries", entryId)}>{name}</Link>{businessName && `, ${businessName}`}<br />{email}</dd></div>
      <div><dt>Link to the Artist Portal</dt><dd><Button look="text" busy={busy} onClick={newLink}>End it and send a new one</Button></dd></div>
      <div><dt>Missing</dt><dd>{missingText(nomination)}</dd></div>
      <div><dt>Model release</dt><dd>{releaseText(nomination)}</dd></div>
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

function releaseText({ missing, release: { signedAt, confirmedBy, paper } }: Nomination): ReactNode {
  if (signedAt && confirmedBy) return <>On paper, confirmed <Instant at={signedAt} /> by {confirmedBy}</>;
  if (signedAt) return <>Signed <Instant at={signedAt} /></>;
  if (paper.media) return missing.includes("release") ? "On paper, to be replaced" : "On paper, not confirmed";
  return "Not signed";
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
