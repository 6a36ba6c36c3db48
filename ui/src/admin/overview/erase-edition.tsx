import { useState } from "react";
import { literal, object, pipe, string, trim } from "valibot";
import { Link } from "wouter";
import { Button } from "../../kit/button";
import { Dialog } from "../../kit/dialog";
import { TextField } from "../../kit/field";
import { useAdmin } from "../shell/admin-context";
import { usePasswordPrompt } from "../shell/password-prompt";
import { useAction } from "../shell/use-action";
import { useValidForm } from "../shell/use-valid-form";
import { eraseEdition, refreshOverview } from "./api";

/** Erases the personal data of everybody, once the event's name is typed. */
export function EraseEdition() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      {" "}<Button look="text" aria-haspopup="dialog" onClick={() => setOpen(true)}>Erase it…</Button>
      {isOpen && <EraseDialog onClose={() => setOpen(false)} />}
    </>
  );
}

function EraseDialog({ onClose }: { onClose: () => void }) {
  const { event } = useAdmin();
  const { busy, act } = useAction();
  const { confirmed, prompt } = usePasswordPrompt();
  const form = useValidForm(object({ name: pipe(string(), trim(), literal(event, `Please enter the event’s name: ${event}`)) }), { name: "" });
  const erase = form.handleSubmit(({ name }) => act(
    async () => {
      await confirmed(() => eraseEdition(name));
      onClose();
      await refreshOverview();
    },
    { title: "Personal Data Erased", message: "Payments are kept without the people." },
    "Not everything was erased. Please try again.",
  ));
  return (
    <Dialog small title="Erase the personal data of this edition?" closeLabel="Cancel" onClose={onClose}>
      <p>Registrations, photos, releases, judges and emails are deleted. Payments are kept without the people, as the law requires. This cannot be undone.</p>
      <p>Anything that you still need, such as lists or the archive of <code>showcase edition close</code>, has to be saved before. <Link href="/export-data/backups">Backups</Link> and archives still contain the data until they are deleted.</p>
      <form className="password-prompt" onSubmit={erase} noValidate>
        <TextField label={`To confirm, enter the event’s name: ${event}`} error={form.formState.errors.name?.message} {...form.register("name")} />
        <Button type="submit" busy={busy} busyLabel="Erasing…">Erase everybody</Button>
      </form>
      {prompt}
    </Dialog>
  );
}
