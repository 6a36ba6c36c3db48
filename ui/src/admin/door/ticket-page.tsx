import { useState } from "react";
import { object, string } from "valibot";
import { Link } from "wouter";
import type { TicketDetails } from "../../lib/answer-types";
import { Button } from "../../kit/button";
import { TextField } from "../../kit/field";
import { Loaded } from "../../kit/loaded";
import { Table } from "../../kit/table";
import { kinds } from "../../lib/page";
import { SectionHead, Part } from "../shell/parts";
import { ReasonDialog } from "../judging/reason-dialog";
import { Instant } from "../shell/admin-context";
import { kindLabels, recordPath } from "../shell/kinds";
import { useAction, useActionForm } from "../shell/use-form";
import { badgesPath, noteBadgePrinted, restoreTicket, resultLabels, saveNote, roles, sendTicket, useTicket, voidTicket } from "./api";

/** One ticket: whose it is, what became of it, and every scan. */
export function TicketPage({ id }: { id: number }) {
  const read = useTicket(id);
  return (
    <>
      <SectionHead back={{ id: null }} backTo="The door" title={<>{read.data?.name ?? `Ticket ${id}`}</>} />
      <Loaded of={read} loading="Loading the ticket…" failed="This ticket could not be loaded." missing={<p className="empty">There is no ticket with the number {id}.</p>} keepsData>
        {(ticket) => (
          <>
            <Facts ticket={ticket} />
            <Actions ticket={ticket} onChanged={() => read.mutate()} />
            <Note key={ticket.note} ticket={ticket} onSaved={() => read.mutate()} />
            <Scans ticket={ticket} />
          </>
        )}
      </Loaded>
    </>
  );
}

function Facts({ ticket: { code, role, state, business, seat, email, voidReason, mailedAt, source } }: { ticket: TicketDetails }) {
  const kind = kinds.find((one) => one === source?.kind);
  return (
    <dl className="mail-facts">
      <div><dt>State</dt><dd>{state === "valid" ? "Valid" : `Void${voidReason ? `: ${voidReason}` : ""}`}</dd></div>
      <div><dt>Code</dt><dd className="figures"><a href={`/t/${code}`} target="_blank" rel="noopener">{code.slice(0, 5)} {code.slice(5)}</a></dd></div>
      <div><dt>Role</dt><dd>{roles[role]}{business && `, ${business}`}</dd></div>
      {seat && <div><dt>Seat</dt><dd>{seat}</dd></div>}
      <div><dt>Email</dt><dd>{email ?? <span className="soft">None</span>}{mailedAt && <> · sent <Instant at={mailedAt} /></>}</dd></div>
      {kind && source && <div><dt>From</dt><dd><Link href={recordPath(kind, source.id)}>{kindLabels[kind].singular} {source.id}</Link></dd></div>}
    </dl>
  );
}

function Actions({ ticket: { id, name, state, email, printedAt }, onChanged }: { ticket: TicketDetails; onChanged: () => unknown }) {
  const [asks, setAsks] = useState(false);
  const { busy, act } = useAction(onChanged);
  const change = (task: () => Promise<void>, title: string, message: string) => act(() => task().then(() => setAsks(false)), { title, message }, "The ticket could not be changed. Please try again.");
  return (
    <div className="card-buttons">
      {state === "valid" && email && <Button look="outline" busy={busy} onClick={() => change(() => sendTicket(id), "Sending", `The ticket is on its way to ${email}.`)}>Send the ticket</Button>}
      {state === "valid" && <a className="text-button" href={badgesPath({ ticket: id, size: "4x3" })} target="_blank" rel="noopener">Print the badge</a>}
      {state === "valid" && !printedAt && <Button look="text" busy={busy} onClick={() => change(() => noteBadgePrinted(id), "Noted", `The badge of ${name} is printed.`)}>Mark the badge as printed</Button>}
      {state === "valid"
        ? <Button look="text" onClick={() => setAsks(true)}>Make it void</Button>
        : <Button look="outline" busy={busy} onClick={() => change(() => restoreTicket(id), "Ticket Restored", `${name} may come in again.`)}>Make it valid again</Button>}
      {asks && (
        <ReasonDialog title={`Make the ticket of ${name} void`} action="Make it void" busy={busy} note="(the holder reads it)" longest={200} onClose={() => setAsks(false)} onSend={(reason) => change(() => voidTicket(id, reason), "Ticket Void", `${name} is not let in any more.`)}>
          <p>Phones at the door know it at their next contact. The reason is shown on the ticket&rsquo;s page, and {name} gets it by email if the ticket was sent.</p>
        </ReasonDialog>
      )}
    </div>
  );
}

const noteSchema = object({ note: string() });

/** What volunteers read about somebody at the door. */
function Note({ ticket: { id, note }, onSaved }: { ticket: TicketDetails; onSaved: () => unknown }) {
  const { busy, field, submit } = useActionForm(noteSchema, { note: note ?? "" }, onSaved);
  const save = submit((values) => saveNote(id, values.note), { title: "Saved", message: "Phones at the door show it." }, "The note could not be saved. Please try again.");
  return (
    <form className="door-new" onSubmit={save} noValidate>
      <TextField label="Note" hint="Such as “Model”, or “No photos”, which is a dot on the badge. The holder reads it on the ticket too." maxLength={200} {...field("note")} />
      <Button type="submit" look="outline" busy={busy} busyLabel="Saving…">Save the note</Button>
    </form>
  );
}

/** The results by which somebody comes in. */
const admits = new Set<keyof typeof resultLabels>(["welcome", "walk_in", "already"]);

function Scans({ ticket: { scans } }: { ticket: TicketDetails }) {
  return (
    <Part title="At the door">
      {scans.length === 0 ? <p className="empty">Nobody has come with this ticket yet.</p> : (
        <Table
          caption="Scans of this ticket, the earliest first" rows={scans} rowKey={({ id }) => id}
          columns={[
            { name: "at", label: "When", cell: ({ at, corrected, late }) => <><Instant at={at} />{corrected && <span className="row-email">The phone&rsquo;s clock was wrong; this is corrected</span>}{late && <span className="row-email">Sent after the end of the phone&rsquo;s access</span>}</> },
            { name: "what", label: "What", cell: ({ result, anyway, undoneAt, letsIn }) => <>{resultLabels[result]}{admits.has(result) && !letsIn && <span className="row-error">Not counted: scanned after the phone was ended</span>}{anyway && <span className="row-email">Let in anyway: {anyway}</span>}{undoneAt && <span className="row-error">Undone</span>}</> },
            { name: "list", label: "List", cell: ({ label }) => label },
            { name: "device", label: "Phone", from: "roomy", cell: ({ device }) => device },
          ]}
        />
      )}
    </Part>
  );
}
