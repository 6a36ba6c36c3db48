import { useId } from "react";
import { object, pipe, string, transform } from "valibot";
import { Button } from "../../kit/button";
import { TextField } from "../../kit/field";
import type { Registration } from "../shell/kinds";
import { useActionForm } from "../shell/use-form";
import { saveSponsorPlaces } from "./api";

const schema = object({ places: pipe(string(), transform(Number)) });

/** How many people may come for a sponsor: each gets a ticket once the sponsor is accepted. */
export function SponsorPlaces({ record, onSaved }: { record: Registration; onSaved: () => unknown }) {
  const id = useId();
  const { busy, field, submit } = useActionForm(schema, { places: String(record.places) }, onSaved);
  const save = submit(
    ({ places }) => saveSponsorPlaces(record.id, places),
    { title: "Saved", message: record.status === "accepted" ? "The tickets follow." : "The tickets follow when the sponsor is accepted." },
    "Nothing was changed. Please try again.",
  );
  return (
    <form className="record-action" onSubmit={save} noValidate aria-labelledby={id}>
      <h2 id={id}>Places at the event</h2>
      <TextField label="How many people may come" inputMode="numeric" maxLength={2} {...field("places")} />
      <div className="card-buttons"><Button type="submit" look="outline" busy={busy} busyLabel="Saving…">Save the places</Button></div>
    </form>
  );
}
