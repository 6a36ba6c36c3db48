import { useId, type ReactNode } from "react";
import { nonEmpty, object, pipe, string, trim } from "valibot";
import { Button } from "../../kit/button";
import { Dialog } from "../../kit/dialog";
import { LongTextField } from "../../kit/field";
import { useValidForm } from "../shell/use-form";

const schema = object({ reason: pipe(string(), trim(), nonEmpty("Please give a reason")) });

interface ReasonDialogProps {
  title: string;
  /** The label of the button that does it. */
  action: string;
  busy: boolean;
  onClose: () => void;
  onSend: (reason: string) => unknown;
  /** Who reads the reason. */
  note?: string;
  /** In characters. */
  longest?: number;
  /** What it does, if the title does not say it all. */
  children?: ReactNode;
}

/** Asks for the reason, which is stored. */
export function ReasonDialog({ title, action, busy, onClose, onSend, note = "(for the record)", longest = 500, children }: ReasonDialogProps) {
  const id = useId();
  const { register, handleSubmit, formState: { errors } } = useValidForm(schema, { reason: "" });
  return (
    <Dialog small title={title} onClose={onClose} closeLabel="Cancel" actions={<Button type="submit" form={id} busy={busy} busyLabel="Saving…">{action}</Button>}>
      {children}
      <form id={id} noValidate onSubmit={handleSubmit(({ reason }) => void onSend(reason))}>
        <LongTextField label="Reason" note={note} rows={3} maxLength={longest} error={errors.reason?.message} {...register("reason")} />
      </form>
    </Dialog>
  );
}

/** Why something is not possible: a sentence for each reason. */
export function Blockers({ intro, blockers }: { intro: string; blockers: string[] }) {
  return (
    <>
      <p className="measure">{intro}</p>
      <ul className="points blockers">{blockers.map((blocker) => <li key={blocker}>{blocker}</li>)}</ul>
    </>
  );
}
