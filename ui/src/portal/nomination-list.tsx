import { useState } from "react";
import type { OwnNomination } from "../lib/answer-types";
import { ErrorBoundary } from "../kit/error-boundary";
import { ActionLink } from "../kit/site-link";
import { serverNow } from "../lib/clock";
import { Relations } from "./relations";
import { Title, type PortalData } from "./frame";
import type { Transfer } from "./uploads";
import { isUnfinished, stateNames, todoText } from "./words";
import { momentInWords, timeLeft } from "./deadline";

interface Props {
  data: PortalData;
  nominations: OwnNomination[];
  /** The codes of the tickets for the event. */
  tickets: readonly string[];
  transfers: ReadonlyMap<string, Transfer>;
  onOpen: (id: number) => void;
}

export function NominationList({ data, nominations, tickets, transfers, onOpen }: Props) {
  return (
    <>
      <Title takesFocus>Your nominations</Title>
      {nominations.length === 0 && <p className="lead">There is no paid entry for this address.</p>}
      <ul className="nominations">
        {nominations.map((nomination) => (
          <li key={nomination.id}>
            <Card data={data} nomination={nomination} transfers={transfers} onOpen={() => onOpen(nomination.id)} />
          </li>
        ))}
      </ul>
      {tickets.map((code) => <p key={code} className="portal-ticket"><ActionLink look="outline" href={`/t/${code}`}>Your ticket for the event</ActionLink></p>)}
      {nominations.length > 0 && <ErrorBoundary fallback={null}><Relations /></ErrorBoundary>}
    </>
  );
}

function Card({ data, nomination, transfers, onOpen }: { data: PortalData; nomination: OwnNomination; transfers: Props["transfers"]; onOpen: () => void }) {
  const id = `nomination-${nomination.id}`;
  const { code, label, state, slots } = nomination;
  const required = slots.filter((slot) => slot.required);
  const uploaded = required.filter(({ media }) => media !== null).length;
  const underWay = [...transfers].filter(([key, transfer]) => key.startsWith(`${nomination.id}/`) && transfer.state !== "failed").length;
  return (
    <article className="nomination" data-state={state} aria-labelledby={id}>
      <p className="nomination-state">{stateNames[state]}</p>
      <h2 id={id} className="title">{label}</h2>
      <p className="nomination-code figures">{code} <span className="soft">The judges see this code instead of your name.</span></p>
      {isUnfinished(nomination) && (
        <>
          <Due data={data} nomination={nomination} />
          <p>{todoText(nomination)} <span className="soft figures">{uploaded} of {required.length} required photos uploaded{underWay > 0 && `, ${underWay} uploading`}.</span></p>
        </>
      )}
      <button type="button" className={isUnfinished(nomination) ? "button button-primary" : "button button-outline"} onClick={onOpen} aria-describedby={id}>
        {isUnfinished(nomination) ? "Photos and release" : "View the photos"}
      </button>
      {nomination.scoreSheet && <ActionLink href={`/score-sheet?nomination=${nomination.id}`}>Score sheet and certificate</ActionLink>}
    </article>
  );
}

/** The deadline for handing in, by the server's clock. */
export function Due({ data, nomination }: { data: PortalData; nomination: OwnNomination }) {
  const { deadline } = nomination;
  const [now] = useState(serverNow);
  if (deadline === null) return null;
  const left = timeLeft(deadline, now);
  return (
    <p className="nomination-due">
      {left ? "Due" : "The deadline was"} <time dateTime={deadline}>{momentInWords(deadline, data.timeZone)}</time> ({data.timeZoneLabel})
      {left && <strong className="figures"> {left}</strong>}
    </p>
  );
}
