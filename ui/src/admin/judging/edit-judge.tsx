import { email as emailRule, nonEmpty, object, pipe, string, trim } from "valibot";
import { Button } from "../../kit/button";
import { Dialog } from "../../kit/dialog";
import { TextField } from "../../kit/field";
import { useAction } from "../shell/use-action";
import { showAtFields, useValidForm } from "../shell/use-valid-form";
import { changeJudge, type Judge, type JudgeDetails } from "./api";

const text = pipe(string(), trim());
const schema = object({
  name: pipe(text, nonEmpty("Please enter a name")),
  publicName: text,
  email: pipe(text, nonEmpty("Please enter an email address"), emailRule("Please check this email address")),
  phone: text,
  instagram: text,
  businessName: text,
});

/** A judge's details. By phone, Instagram and business the judge is compared with the entrants. */
export function EditJudge({ judge, onClose, onChanged }: { judge: Judge; onClose: () => void; onChanged: () => unknown }) {
  const { busy, act } = useAction();
  const form = useValidForm<JudgeDetails, JudgeDetails>(schema, {
    name: judge.name, publicName: judge.publicName ?? "", email: judge.email,
    phone: judge.phone ?? "", instagram: judge.instagram ?? "", businessName: judge.businessName ?? "",
  });
  const { register, handleSubmit, formState: { errors } } = form;
  const save = (details: JudgeDetails) => act(
    async () => {
      await changeJudge(judge.id, details);
      await onChanged();
      onClose();
    },
    details.email.toLowerCase() === judge.email.toLowerCase()
      ? { title: "Judge Changed", message: `The details of ${details.name} are saved.` }
      : { title: "Judge Changed", message: `A new link is on its way to ${details.email}. The former links no longer work.` },
    "The details could not be saved. Please try again.", (error) => showAtFields(form, error),
  );
  return (
    <Dialog title={`Edit ${judge.name}`} onClose={onClose} closeLabel="Cancel" actions={<Button type="submit" form="edit-judge" busy={busy} busyLabel="Saving…">Save</Button>}>
      <form id="edit-judge" noValidate onSubmit={(event) => void handleSubmit(save)(event)}>
        <TextField label="Name" error={errors.name?.message} {...register("name")} />
        <TextField label="Name on the site" note="(if different)" hint="Shown to competitors and on certificates." error={errors.publicName?.message} {...register("publicName")} />
        <TextField label="Email address" type="email" hint="A new address gets a new link; links to the old one stop working." error={errors.email?.message} {...register("email")} />
        <TextField label="Phone" type="tel" note="(optional)" error={errors.phone?.message} {...register("phone")} />
        <TextField label="Instagram" note="(optional)" error={errors.instagram?.message} {...register("instagram")} />
        <TextField label="Business" note="(optional)" error={errors.businessName?.message} {...register("businessName")} />
      </form>
    </Dialog>
  );
}
