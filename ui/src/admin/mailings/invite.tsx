import { useId } from "react";
import { check, object, pipe, string, transform } from "valibot";
import { Button } from "../../kit/button";
import { TextField } from "../../kit/field";
import { Select } from "../../kit/select";
import { refreshLists } from "../registrations/api";
import { useAction } from "../shell/use-action";
import { showAtFields, useValidForm } from "../shell/use-valid-form";
import { invite } from "./api";
import { invitationEnd, invitationLengths } from "./invitation-length";

const most = 500;

const schema = object({
  count: pipe(string(), transform(Number), check((count) => Number.isInteger(count) && count >= 1 && count <= most, `Please enter a number from 1 to ${most}`)),
  days: pipe(string(), transform(Number)),
});

/** Invites the next people on the waitlist to enter. */
export function Invite() {
  const id = useId();
  const { busy, act } = useAction();
  const form = useValidForm(schema, { count: "10", days: "3" });
  const { register, handleSubmit, formState: { errors } } = form;
  const send = handleSubmit(({ count, days }) => act(
    // Also after a lost answer, the waitlist shows who was invited.
    () => invite(count, invitationEnd(days)).finally(() => void refreshLists("waitlist-signups")),
    { title: "Invited", message: "The invitations are in the outbox." },
    "No answer arrived, so they may have been invited. Look at the waitlist before you try again.",
    (error) => showAtFields(form, error),
  ));
  return (
    <form className="admin-part measure" onSubmit={send} noValidate aria-labelledby={id}>
      <h2 id={id}>Invite from the waitlist</h2>
      <p className="measure">The next people who want to compete get a personal link to the entry form. Each signup says whether its invitation was accepted.</p>
      <TextField label="How many people" inputMode="numeric" error={errors.count?.message} {...register("count")} />
      <Select label="The link is valid for" options={invitationLengths} {...register("days")} />
      <div className="card-buttons"><Button type="submit" look="outline" busy={busy} busyLabel="Inviting…">Invite</Button></div>
    </form>
  );
}
