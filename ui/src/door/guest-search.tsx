import { useEffect, useRef, useState, type FormEvent } from "react";
import type { DoorSnapshot, DoorTicket } from "../lib/answer-types";
import { Button } from "../kit/button";
import { TextField } from "../kit/field";
import { decide, search, type OwnScan } from "./decide";
import { serverNow } from "../lib/clock";
import { timeOrDayOf } from "./event-time";
import { parseCode, roleNames } from "./words";

interface Props {
  list: DoorSnapshot;
  own: readonly OwnScan[];
  /** The key of the chosen list. */
  day: string;
  timeZone: string;
  onCode: (code: string) => void;
  onUndo: (id: string) => void;
}

/** Finds people by name, and takes codes that are typed or come from a USB scanner, which types them and presses Enter. */
export function GuestSearch({ list, own, day, timeZone, onCode, onUndo }: Props) {
  const [text, setText] = useState("");
  const field = useRef<HTMLDivElement>(null);
  const found = search(list, text);

  useEffect(() => {
    // A scanner types wherever the focus is, also in the choice of the list.
    const focus = ({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent) => {
      const isTyping = target instanceof HTMLElement && target.closest("input, textarea");
      if (key.length === 1 && key !== " " && !ctrlKey && !metaKey && !altKey && !isTyping) field.current?.querySelector("input")?.focus();
    };
    addEventListener("keydown", focus);
    return () => removeEventListener("keydown", focus);
  }, []);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const code = parseCode(text);
    // "Christabel" could be a code as well.
    const isName = found.length > 0 && !found.some((ticket) => ticket.code === code);
    if (!code || isName) return;
    setText("");
    onCode(code);
  };
  const letIn = ({ code }: DoorTicket) => {
    setText("");
    onCode(code);
  };

  return (
    <form className="door-search" role="search" onSubmit={submit}>
      <div ref={field}><TextField label="Name or code" type="search" enterKeyHint="go" autoCapitalize="off" spellCheck={false} value={text} onChange={({ target }) => setText(target.value)} /></div>
      <ul className="door-people" aria-label="Found">
        {found.map((ticket) => {
          const { result, first } = decide(list, own, day, ticket.code);
          return (
            <li key={ticket.code}>
              <span><span className="door-person">{ticket.name}</span><span className="soft">{[roleNames[ticket.role], ticket.business].filter(Boolean).join(" \u00b7 ")}</span></span>
              {result === "already" && first
                ? <span className="door-person-in">In since {timeOrDayOf(first.at, timeZone, serverNow())} <button type="button" className="text-button" onClick={() => onUndo(first.id)}>Undo<span className="hidden-text"> {ticket.name}</span></button></span>
                : <Button look="outline" onClick={() => letIn(ticket)}>{result === "welcome" ? "Let in" : "Check"}<span className="hidden-text"> {ticket.name}</span></Button>}
            </li>
          );
        })}
      </ul>
      {text.trim() !== "" && found.length === 0 && !parseCode(text) && <p className="soft">Nobody on the list has this name.</p>}
    </form>
  );
}
