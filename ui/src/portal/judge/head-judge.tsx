import { useState } from "react";
import { useSend, FormFailure } from "../../kit/form";
import { Button } from "../../kit/button";
import { Dialog } from "../../kit/dialog";
import { LongTextField } from "../../kit/field";
import { useRead, Loaded } from "../../kit/loaded";
import { Title, LoadingText } from "../frame";
import { breakTie, readPanel, reopen, sheetStates, type PanelOfCategory, type Tie } from "./api";
import type { ScoringContext } from "./scoring";
import { TieOrder } from "./tie-order";
import { isOf } from "./words";

type PanelSheet = PanelOfCategory["sheets"][number];

/** The head judge's tasks: reopening a confirmed sheet, and deciding a tie. */
export function HeadJudge({ context }: { context: ScoringContext }) {
  const panel = useRead(readPanel);
  const [asked, setAsked] = useState<{ category: PanelOfCategory; sheet: PanelSheet }>();
  return (
    <>
      <p className="portal-back"><button type="button" className="text-button" onClick={() => context.open()}>All nominations</button></p>
      <Title takesFocus>Head judge</Title>
      {context.work.ties.map((tie) => <TieForm key={tie.codes.join()} tie={tie} context={context} />)}
      <Loaded of={panel} loading={<LoadingText />} failed="The sheets could not be loaded." keepsData>
        {(categories) => categories.map((category) => (
        <section key={category.label} aria-label={category.label}>
          <h2 className="portal-part">{category.label}</h2>
          <p className="portal-lead">You see who has confirmed, and nobody&rsquo;s points.</p>
          {category.sheets.length === 0 && <p>No sheet is confirmed yet.</p>}
          <ul className="panel-sheets">
            {category.sheets.map((sheet) => (
              <li key={`${sheet.judge} ${sheet.code}`}>
                <span className="figures">{sheet.code}</span> <span>{sheet.name}</span> <span className="soft">{sheetStates[sheet.state as keyof typeof sheetStates] ?? sheet.state}</span>
                {sheet.state === "confirmed" && <Button look="text" aria-label={`Reopen ${sheet.code} of ${sheet.name}`} onClick={() => setAsked({ category, sheet })}>Reopen…</Button>}
              </li>
            ))}
          </ul>
        </section>
        ))}
      </Loaded>
      {asked && <Reopen {...asked} onClose={() => setAsked(undefined)} onDone={(next) => { panel.set(next); void context.reload(); }} />}
    </>
  );
}

interface ReopenProps {
  category: PanelOfCategory;
  sheet: PanelSheet;
  onClose: () => void;
  onDone: (categories: PanelOfCategory[]) => void;
}

function Reopen({ category: { category, subCategory }, sheet: { judge, name, code }, onClose, onDone }: ReopenProps) {
  const { busy, errors, failure, send } = useSend({ fields: ["reason"], failed: "Nothing was changed. Please check your connection and try again." });
  const [reason, setReason] = useState("");
  const reopenSheet = () => send(async () => {
    onDone(await reopen({ category, subCategory, judge, code, reason: reason.trim() }));
    onClose();
  }, { reason: reason.trim() === "" && "Please give a reason" });
  return (
    <Dialog small eyebrow={code} title={`Reopen the sheet of ${name}`} onClose={onClose} closeLabel="Cancel" actions={<Button busy={busy} busyLabel="Saving…" onClick={reopenSheet}>Reopen</Button>}>
      <LongTextField label="Reason" note="(for the record)" rows={3} maxLength={500} value={reason} error={errors.reason} onChange={({ target }) => setReason(target.value)} />
      <FormFailure>{failure}</FormFailure>
    </Dialog>
  );
}

function TieForm({ tie, context }: { tie: Tie; context: ScoringContext }) {
  const own = context.work.items.find((item) => isOf(item, tie));
  const label = context.work.categories.find((category) => isOf(category, tie))?.label ?? tie.subCategory;
  if (!own) return null;
  const save = async (order: string[], reason: string) => {
    // Points may have changed since, so that another tie is asked about.
    try {
      await breakTie(own.token, order, reason, tie.since);
    } finally {
      await context.reload();
    }
  };
  return <section aria-label={`Tie in ${label}`}><h2 className="portal-part">Tie in {label}</h2><TieOrder codes={tie.codes} onSave={save} /></section>;
}
