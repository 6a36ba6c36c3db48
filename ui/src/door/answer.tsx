import { useState, type FormEvent } from "react";
import type { DoorSnapshot, DoorTicket } from "../lib/answer-types";
import { Button } from "../kit/button";
import { TextField } from "../kit/field";
import type { OwnScan } from "./decide";
import { timeOf, timeOrDayOf } from "./event-time";
import { printedCode, listNames, resultNames, roleNames, toneOf } from "./words";

/** What the whole screen says about one code. */
export interface Answer {
  scan?: OwnScan;
  ticket?: DoorTicket;
  /** A code that is no ticket's, such as a Wi-Fi code. Nothing is stored of it. */
  isForeign?: boolean;
}

interface Props {
  answer: Answer;
  list: DoorSnapshot;
  /** When the list was last the server's own. */
  listAt: number;
  timeZone: string;
  onLetIn: (more: { walkIn: string } | { anyway: string }) => void;
  onUndo: (id: string) => void;
  onClose: () => void;
}

export function AnswerScreen({ answer: { scan, ticket, isForeign }, list, listAt, timeZone, onLetIn, onUndo, onClose }: Props) {
  const [asks, setAsks] = useState(false);
  const result = scan?.result ?? "unknown";
  const isUnknown = !ticket && result !== "walk_in" && result !== "already" && !scan?.anyway;
  const tone = scan ? toneOf(scan) : "out";
  const letIn = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get("text") ?? "").trim();
    if (text) onLetIn(isUnknown ? { walkIn: text } : { anyway: text });
  };
  return (
    <section className="door-answer" data-tone={tone} aria-label="Answer">
      <div className="door-answer-text" role="alert">
        <p className="door-answer-word"><span className="door-sign" aria-hidden="true" />{isForeign ? "This is not a ticket" : scan?.anyway ? "Let in" : resultNames[result]}</p>
        {(ticket?.name ?? scan?.walkIn) && <p className="door-answer-name">{ticket?.name ?? scan?.walkIn}</p>}
        {ticket && <p className="door-answer-role">{[roleNames[ticket.role], ticket.business, ticket.seat].filter(Boolean).join(" \u00b7 ")}</p>}
        {ticket?.note && <p className="door-answer-note">{ticket.note}</p>}
        {!isForeign && <p>{explanation({ scan, ticket }, list, timeOf(listAt, timeZone), timeZone)}</p>}
      </div>
      {asks ? (
        <form className="door-answer-form" onSubmit={letIn}>
          {/* She has just pressed the button for it. */}
          {/* eslint-disable-next-line jsx-a11y/no-autofocus */}
          <TextField label={isUnknown ? "Name" : "Why?"} name="text" maxLength={100} required autoFocus />
          <div className="door-buttons"><Button type="submit" look="outline">Let in</Button><Button look="outline" onClick={() => setAsks(false)}>Back</Button></div>
        </form>
      ) : (
        <div className="door-buttons">
          {tone === "out" && <Button look="outline" onClick={() => setAsks(true)}>{isUnknown ? "Let in with a name" : "Let in anyway"}</Button>}
          {scan && tone !== "out" && <Button look="outline" onClick={() => onUndo(scan.id)}>Undo</Button>}
          <Button look="outline" onClick={onClose}>Next</Button>
        </div>
      )}
    </section>
  );
}

function explanation({ scan, ticket }: Answer, list: DoorSnapshot, listTime: string, timeZone: string): string {
  if (scan?.anyway) return `Against the list: ${scan.anyway}.`;
  switch (scan?.result) {
    case "already": return scan.first ? `Came in at ${timeOrDayOf(scan.first.at, timeZone, Date.parse(scan.at))}, ${scan.first.device}.` : "Came in before.";
    case "void": return "This ticket is not valid any more. Please send them to the organizer.";
    case "wrong_list": return ticket ? `This ticket is for ${listNames(list.lists, ticket.lists) || "no list"}.` : "This list is not there any more. Choose another one above.";
    case "unknown": return `${printedCode(scan.code)} is not on this phone\u2019s list of ${listTime}. A ticket that is newer is not on it.`;
    case "walk_in": return "Without a ticket.";
    default: return "";
  }
}
