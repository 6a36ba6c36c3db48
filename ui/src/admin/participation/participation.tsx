import { useState } from "react";
import { object, pipe, string, trim, type InferOutput } from "valibot";
import { Button } from "../../kit/button";
import { LongTextField, TextField } from "../../kit/field";
import type { Registration } from "../shell/kinds";
import { useAction, useActionForm } from "../shell/use-form";
import { isStale, type Versioned } from "../shell/versioned";
import { makeComplimentary, makeReceiptLink, noteNoShow, offerTicket, takeBack, withdraw } from "./api";

type Task = "withdraw" | "no-show" | "complimentary" | "transfer";

interface Wording {
  button: string;
  text: string;
  action: string;
  done: { title: string; message: string };
}

const wordings: Record<Task, Wording> = {
  "withdraw": {
    button: "Withdraw…", action: "Withdraw this entry",
    text: "The entry leaves the lists, and an open payment is cancelled. Money that was paid stays until you refund it.",
    done: { title: "Withdrawn", message: "The entry is withdrawn." },
  },
  "no-show": {
    button: "No-show…", action: "Note the no-show",
    text: "The person did not come. The entry stays on the lists, with this mark.",
    done: { title: "Noted", message: "The entry is marked as a no-show." },
  },
  "complimentary": {
    button: "Complimentary…", action: "Make it complimentary",
    text: "The entry takes part without a payment. An open payment is cancelled, and the entry is confirmed by email.",
    done: { title: "Complimentary", message: "The confirmation is on its way." },
  },
  "transfer": {
    button: "Transfer the ticket…", action: "Send the link",
    text: "Somebody else comes to the event. They get an email with a link to confirm; the competition entry stays as it is.",
    done: { title: "Link Sent", message: "The ticket changes hands once the link is confirmed." },
  },
};

interface Person {
  name: string;
  email: string;
}

/** Whether an entry takes part, who comes with its ticket, and the link to its receipt. */
export function Participation({ opened, onChanged }: { opened: Versioned<Registration>; onChanged: () => unknown }) {
  const record = opened.value;
  const { busy, act } = useAction(onChanged);
  const [task, setTask] = useState<Task>();
  const [link, setLink] = useState("");
  const { id, status } = record;
  const payment = String(record.paymentStatus);
  const holder = record.ticketHolder as Person | null | undefined;
  const offer = record.ticketOffer as Person | null | undefined;
  const isOut = status === "withdrawn" || status === "declined";
  const isUnpaid = ["pending", "failed", "abandoned"].includes(payment);
  const isPaid = !isUnpaid && payment !== "refunded";
  const hasPlace = isPaid && !isOut;
  const tasks: Task[] = status === "set_aside" ? [] : [
    ...(hasPlace && status !== "no_show" ? ["transfer", "no-show"] as const : []),
    ...(isUnpaid && !isOut ? ["complimentary"] as const : []),
    ...(isOut ? [] : ["withdraw"] as const),
  ];
  const takenBack = isPaid ? "The entry takes part again."
    : isUnpaid ? "The entry takes part once it is paid." : "The payment was refunded, so the entry still does not take part.";
  const reinstate = () => act(
    () => takeBack(opened),
    { title: "Taken Back", message: takenBack },
    "Nothing was changed. Please try again.",
    (error) => isStale(error) && void onChanged(),
  );
  const askForLink = () => act(
    async () => setLink(await makeReceiptLink(id)),
    { title: "Link Made", message: "Copy it, and send it to the entrant." },
    "The link could not be made. Please try again.",
  );
  return (
    <section className="record-action" aria-labelledby="taking-part-title">
      <h2 id="taking-part-title">Taking part</h2>
      {holder && <p>Ticket: {holder.name} <span className="soft">({holder.email})</span></p>}
      {offer && <p>Ticket offered to {offer.name} <span className="soft">({offer.email}), not confirmed yet</span></p>}
      {task
        ? <TaskForm key={task} task={task} opened={opened} onDone={onChanged} onLeave={() => setTask(undefined)} />
        : (
          <div className="card-buttons">
            {tasks.map((name) => <Button key={name} look="outline" onClick={() => setTask(name)}>{wordings[name].button}</Button>)}
            {(status === "withdrawn" || status === "no_show") && <Button look="outline" busy={busy} onClick={reinstate}>Take it back</Button>}
            {typeof record.paidAt === "string" && <Button look="text" busy={busy} onClick={askForLink}>Make a link to the receipt</Button>}
          </div>
        )}
      {link && <TextField label="Link to the receipt" readOnly value={link} onFocus={(event) => event.target.select()} />}
    </section>
  );
}

/** The server knows which of them a task needs. */
const schema = object({ name: string(), email: string(), reason: pipe(string(), trim()) });

const saves: Record<Task, (opened: Versioned<Registration>, values: InferOutput<typeof schema>) => Promise<unknown>> = {
  "withdraw": (opened, { reason }) => withdraw(opened, reason),
  "no-show": (opened, { reason }) => noteNoShow(opened, reason),
  "complimentary": (opened, { reason }) => makeComplimentary(opened, reason),
  "transfer": (opened, { name, email, reason }) => offerTicket(opened, name, email, reason),
};

function TaskForm({ task, opened, onDone, onLeave }: { task: Task; opened: Versioned<Registration>; onDone: () => unknown; onLeave: () => void }) {
  const { busy, field, submit } = useActionForm(schema, { name: "", email: "", reason: "" }, onDone);
  const { text, action, done } = wordings[task];
  const send = submit(
    (values) => saves[task](opened, values).then(onLeave), done, "Nothing was changed. Please try again.",
    // If somebody else has changed the record, it is loaded again. The typed text stays.
    (error) => isStale(error) && void onDone(),
  );
  const isOptional = task === "no-show" || task === "transfer";
  return (
    <form className="corrections" onSubmit={send} noValidate>
      <p>{text}</p>
      {task === "transfer" && (
        <>
          <TextField label="Name of the new person" maxLength={200} {...field("name")} />
          <TextField label="Email address" type="email" maxLength={200} spellCheck={false} {...field("email")} />
        </>
      )}
      <LongTextField
        label="Reason" note={isOptional ? "(optional, never shown to the person)" : "(never shown to the person)"} rows={2} maxLength={1000}
        hint={task === "transfer" ? "Needed within 14 days of the event." : undefined} {...field("reason")}
      />
      <div className="card-buttons">
        <Button type="submit" busy={busy} busyLabel="Saving…">{action}</Button>
        <Button look="outline" onClick={onLeave}>Cancel</Button>
      </div>
    </form>
  );
}
