import { useState, useRef, type ReactNode } from "react";
import { Link } from "wouter";
import type { Nomination, NominationSlot } from "../../lib/answer-types";
import { serverNow } from "../../lib/clock";
import { Button } from "../../kit/button";
import { Loaded } from "../../kit/loaded";
import { Video } from "../../kit/video";
import { Dialog } from "../../kit/dialog";
import { Checkbox } from "../../kit/checkbox";
import { TextField } from "../../kit/field";
import { SectionHead, Part } from "../shell/parts";
import { AddressLink } from "../shell/address";
import { Instant, useEventClock } from "../shell/admin-context";
import { recordPath } from "../shell/kinds";
import { StatusMark } from "../shell/status-mark";
import { useAction, useActionForm } from "../shell/use-form";
import { isStale, type Versioned } from "../shell/versioned";
import { relationKinds, replaceLink, useNomination, photoPath, confirmRelease, hasUnconfirmedPaper, type PaperRelease } from "./api";
import { Decide, paperSchema } from "./decide";

/** One nomination: its photos side by side, and what the organiser decides. */
export function NominationPage({ id }: { id: number }) {
  const read = useNomination(id);
  const show = (changed?: Versioned<Nomination>) => changed ? read.mutate(changed, { revalidate: false }) : read.mutate();
  return (
    <>
      <SectionHead back={{ id: null }} backTo="All nominations" title={<>{read.data ? `${read.data.value.code} ${read.data.value.label}` : `Nomination ${id}`}</>} />
      <Loaded of={read} loading="Loading the nomination…" failed="This nomination could not be loaded." missing={<p className="empty">There is no nomination with the number {id}.</p>} keepsData>
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

function releaseText({ missing, release: { signedAt, confirmedBy, paper, name, adult, guardian } }: Nomination): ReactNode {
  const model = <span className="line soft">{name}, {adult ? "18 or older" : `under 18, with the parent or guardian ${guardian}`}</span>;
  if (signedAt && confirmedBy) return <>On paper, confirmed <Instant at={signedAt} /> by {confirmedBy}{model}</>;
  if (signedAt) return <>Signed <Instant at={signedAt} />{model}</>;
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
    <Part title="Photos">
      <ul className="review-photos">
        {nomination.slots.map((slot) => (
          <li key={slot.key}><Photo nomination={nomination} slot={slot} onZoom={() => setZoomed(slot.key)} /></li>
        ))}
      </ul>
      {at >= 0 && <PhotoZoom nomination={nomination} slots={there} at={at} onShow={setZoomed} onClose={() => setZoomed(undefined)} />}
    </Part>
  );
}

function Photo({ nomination, slot, onZoom }: { nomination: Nomination; slot: NominationSlot; onZoom: () => void }) {
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
          <span key={`${code} ${where}`} className="line">Shows the same as <AddressLink to={{ id: String(nominationId) }} focusTitle>{code}</AddressLink>, {where}</span>
        ))}
      </figcaption>
    </figure>
  );
}

interface Props {
  nomination: Nomination;
  /** Those with a photo. */
  slots: NominationSlot[];
  at: number;
  onShow: (key: string) => void;
  onClose: () => void;
}

/** A photo in the whole window, or pixel by pixel. */
function PhotoZoom({ nomination, slots, at, onShow, onClose }: Props) {
  const [isActual, setActual] = useState(false);
  const slot = slots[at]!;
  const showNext = (by: number) => onShow(slots[(at + by + slots.length) % slots.length]!.key);
  return (
    <Dialog
      eyebrow={`${nomination.code}, ${at + 1} of ${slots.length}`} title={slot.label} onClose={onClose}
      actions={(
        <>
          {slots.length > 1 && <><Button look="outline" onClick={() => showNext(-1)}>Previous</Button><Button look="outline" onClick={() => showNext(1)}>Next</Button></>}
          <Button look="outline" onClick={() => setActual(!isActual)} aria-pressed={isActual}>Actual size</Button>
        </>
      )}
    >
      <div className="zoomed" data-actual={isActual || undefined}><img src={photoPath(nomination.id, slot, "full")} width={slot.media!.width} height={slot.media!.height} alt={slot.label} /></div>
    </Dialog>
  );
}

type Incomplete = Pick<Nomination, "state" | "missing" | "slots">;

const takesNoPart = ["withdrawn", "forfeited", "disqualified"];

/** "2 photos, release"; "1 photo to replace" for a photo that was returned and not replaced since; "Nothing" when it is complete. */
export function missingText(nomination: Incomplete): string {
  return [absentText(nomination), toReplaceText(nomination)].filter(Boolean).join(", ") || "Nothing";
}

/** For a list: "2 photos, release missing, 1 photo to replace". Empty when nothing is missing, or when the nomination no longer takes part. */
export function incompleteText(nomination: Incomplete): string {
  if (takesNoPart.includes(nomination.state)) return "";
  const absent = absentText(nomination);
  return [absent && `${absent} missing`, toReplaceText(nomination)].filter(Boolean).join(", ");
}

function absentText(nomination: Incomplete): string {
  const photos = nomination.missing.filter((key) => key !== "release").length - toReplace(nomination);
  const parts = [...(photos > 0 ? [photosText(photos)] : []), ...(nomination.missing.includes("release") ? ["release"] : [])];
  return parts.join(", ");
}

function toReplaceText(nomination: Incomplete): string {
  const photos = toReplace(nomination);
  return photos > 0 ? `${photosText(photos)} to replace` : "";
}

/** The server lists a returned photo as missing until it is replaced. */
function toReplace({ missing, slots }: Incomplete): number {
  return slots.filter(({ key, media }) => media !== null && missing.includes(key)).length;
}

function photosText(photos: number): string {
  return photos === 1 ? "1 photo" : `${photos} photos`;
}

interface PaperProps {
  opened: Versioned<Nomination>;
  /** Shows what was confirmed; without it, what somebody else has changed. */
  onChanged: (changed?: Versioned<Nomination>) => unknown;
}

/** The photo of a release that the model signed on paper, and what the organiser reads on it. */
function Paper({ opened, onChanged }: PaperProps) {
  const nomination = opened.value;
  const [isZoomed, setZoomed] = useState(false);
  const title = useRef<HTMLHeadingElement>(null);
  const { paper } = nomination.release;
  const changed = (next?: Versioned<Nomination>) => {
    // The form, which has the focus, may no longer be there.
    title.current?.focus();
    return onChanged(next);
  };
  return (
    <section className="admin-part review-paper" aria-labelledby="paper-title">
      <h2 id="paper-title" ref={title} tabIndex={-1}>Release on paper</h2>
      <Photo nomination={nomination} slot={paper} onZoom={() => setZoomed(true)} />
      {hasUnconfirmedPaper(nomination) && <ConfirmForm opened={opened} onChanged={changed} />}
      {isZoomed && <PhotoZoom nomination={nomination} slots={[paper]} at={0} onShow={() => {}} onClose={() => setZoomed(false)} />}
    </section>
  );
}

function ConfirmForm({ opened, onChanged }: PaperProps) {
  const { busy, field, submit, setValue, watch } = useActionForm<PaperRelease, PaperRelease>(paperSchema, { name: "", adult: true, guardian: "" });
  const isAdult = watch("adult");
  const confirm = submit(
    async (paper) => onChanged(await confirmRelease(opened, paper)),
    { title: "Confirmed", message: `${opened.value.code} has its release.` },
    "The paper was not confirmed. Please try again.", (error) => isStale(error) && void onChanged(),
  );
  return (
    <form noValidate onSubmit={confirm}>
      <p>Is it the release, can every word be read, and is it signed? If not, return it. The judges do not see it.</p>
      <TextField label="Model's name" maxLength={200} {...field("name")} />
      <Checkbox label="The model is under 18, and a parent or guardian has signed" checked={!isAdult} onChange={({ target }) => setValue("adult", !target.checked)} />
      {!isAdult && <TextField label="Name of the parent or guardian" maxLength={200} {...field("guardian")} />}
      <Button type="submit" busy={busy} busyLabel="Confirming…">Confirm the paper</Button>
    </form>
  );
}
