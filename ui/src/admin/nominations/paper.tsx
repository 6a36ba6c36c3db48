import { useRef, useState } from "react";
import { Button } from "../../kit/button";
import { Checkbox } from "../../kit/checkbox";
import { TextField } from "../../kit/field";
import { useAction } from "../shell/use-action";
import { showAtFields, useValidForm } from "../shell/use-valid-form";
import { confirmRelease, hasUnconfirmedPaper, type Nomination, type PaperRelease } from "./api";
import { paperSchema } from "./decision-schema";
import { Photo } from "./photo";
import { PhotoZoom } from "./photo-zoom";

interface Props {
  nomination: Nomination;
  onConfirmed: (confirmed: Nomination) => unknown;
}

/** The photo of a release that the model signed on paper, and what the organiser reads on it. */
export function Paper({ nomination, onConfirmed }: Props) {
  const [isZoomed, setZoomed] = useState(false);
  const title = useRef<HTMLHeadingElement>(null);
  const { paper } = nomination.release;
  const confirmed = (next: Nomination) => {
    // The form, which has the focus, is no longer there.
    title.current?.focus();
    return onConfirmed(next);
  };
  return (
    <section className="admin-part review-paper" aria-labelledby="paper-title">
      <h2 id="paper-title" ref={title} tabIndex={-1}>Release on paper</h2>
      <Photo nomination={nomination} slot={paper} onZoom={() => setZoomed(true)} />
      {hasUnconfirmedPaper(nomination) && <ConfirmForm nomination={nomination} onConfirmed={confirmed} />}
      {isZoomed && <PhotoZoom nomination={nomination} slots={[paper]} at={0} onShow={() => {}} onClose={() => setZoomed(false)} />}
    </section>
  );
}

function ConfirmForm({ nomination, onConfirmed }: Props) {
  const { busy, act } = useAction();
  const form = useValidForm<PaperRelease, PaperRelease>(paperSchema, { name: "", adult: true, guardian: "" });
  const { register, handleSubmit, setValue, watch, formState: { errors } } = form;
  const isAdult = watch("adult");
  const send = (paper: PaperRelease) => act(
    async () => onConfirmed(await confirmRelease(nomination.id, paper)),
    { title: "Confirmed", message: `${nomination.code} has its release.` },
    "The paper was not confirmed. Please try again.", (error) => showAtFields(form, error),
  );
  return (
    <form noValidate onSubmit={(event) => void handleSubmit(send)(event)}>
      <p>Is it the release, can every word be read, and is it signed? If not, return it. The judges do not see it.</p>
      <TextField label="Model's name" maxLength={200} error={errors.name?.message} {...register("name")} />
      <Checkbox label="The model is under 18, and a parent or guardian has signed" checked={!isAdult} onChange={({ target }) => setValue("adult", !target.checked)} />
      {!isAdult && <TextField label="Name of the parent or guardian" maxLength={200} error={errors.guardian?.message} {...register("guardian")} />}
      <Button type="submit" busy={busy} busyLabel="Confirming…">Confirm the paper</Button>
    </form>
  );
}
