import { useRef, useState } from "react";
import { Button } from "../../kit/button";
import { Checkbox } from "../../kit/checkbox";
import { TextField } from "../../kit/field";
import { useAction } from "../shell/use-action";
import { showAtFields, useValidForm } from "../shell/use-valid-form";
import { isStale, type Versioned } from "../shell/versioned";
import { confirmRelease, hasUnconfirmedPaper, type Nomination, type PaperRelease } from "./api";
import { paperSchema } from "./decision-schema";
import { Photo } from "./photo";
import { PhotoZoom } from "./photo-zoom";

interface Props {
  opened: Versioned<Nomination>;
  /** Shows what was confirmed; without it, what somebody else has changed. */
  onChanged: (changed?: Versioned<Nomination>) => unknown;
}

/** The photo of a release that the model signed on paper, and what the organiser reads on it. */
export function Paper({ opened, onChanged }: Props) {
  const nomination = opened.value;
  const [isZoomed, setZoomed] = useState(false);
  const title = useRef<HTMLHeadingElement>(null);
  const { paper } = nomination.release;
  const changed = (next?: Versioned<Nomination>) => {
    // The form, which has the focus, may no longer be there.
    title.current?.focus();
    return onChanged(next);
  };
  return (
    <section className="admin-part review-paper" aria-labelledby="paper-title">
      <h2 id="paper-title" ref={title} tabIndex={-1}>Release on paper</h2>
      <Photo nomination={nomination} slot={paper} onZoom={() => setZoomed(true)} />
      {hasUnconfirmedPaper(nomination) && <ConfirmForm opened={opened} onChanged={changed} />}
      {isZoomed && <PhotoZoom nomination={nomination} slots={[paper]} at={0} onShow={() => {}} onClose={() => setZoomed(false)} />}
    </section>
  );
}

function ConfirmForm({ opened, onChanged }: Props) {
  const { busy, act } = useAction();
  const form = useValidForm<PaperRelease, PaperRelease>(paperSchema, { name: "", adult: true, guardian: "" });
  const { register, handleSubmit, setValue, watch, formState: { errors } } = form;
  const isAdult = watch("adult");
  const send = (paper: PaperRelease) => act(
    async () => onChanged(await confirmRelease(opened, paper)),
    { title: "Confirmed", message: `${opened.value.code} has its release.` },
    "The paper was not confirmed. Please try again.", (error) => isStale(error) ? void onChanged() : showAtFields(form, error),
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
