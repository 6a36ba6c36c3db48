import { useId } from "react";
import { object, pipe, string, transform } from "valibot";
import { Button } from "../../kit/button";
import { Select } from "../../kit/select";
import { invitationLengths, invitationEnd } from "../mailings/group-text";
import type { Registration } from "../shell/kinds";
import { useActionForm } from "../shell/use-form";
import { inviteToEnter } from "./api";

const schema = object({ days: pipe(string(), transform(Number)) });

/** Invites one person on the waitlist, with the personal link that the next ones get too. Nothing if they are invited or have entered. */
export function InvitePanel({ record, onInvited }: { record: Registration; onInvited: () => unknown }) {
  const id = useId();
  const { busy, field, submit } = useActionForm(schema, { days: "3" }, onInvited);
  const { invitation, status, wantToCompete } = record;
  if (!["waiting", "let_pass"].includes(String(invitation)) || ["withdrawn", "declined", "set_aside"].includes(status)) return null;
  const name = String(record.name);
  const send = submit(
    ({ days }) => inviteToEnter(record.id, invitationEnd(days)),
    { title: "Invited", message: `${name} gets a personal link to the entry form.` },
    "Nobody was invited. Please try again.",
  );
  return (
    <form className="panel" onSubmit={send} noValidate aria-labelledby={id}>
      <h2 id={id}>Invitation to enter</h2>
      <p>{invitation === "let_pass" ? "The last invitation has ended. A new email brings a new link." : "An email brings a personal link to the entry form."}</p>
      {wantToCompete !== true && <p>This person did not ask to compete.</p>}
      <Select label="The link is valid for" options={invitationLengths} {...field("days")} />
      <div className="panel-buttons"><Button type="submit" look="outline" busy={busy} busyLabel="Inviting…">{invitation === "let_pass" ? "Invite again" : "Invite to enter"}</Button></div>
    </form>
  );
}
