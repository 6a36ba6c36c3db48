import { useState } from "react";
import { useWatch, type UseFormReturn } from "react-hook-form";
import { check, nonEmpty, object, picklist, pipe, string, trim, type GenericSchema } from "valibot";
import type { JudgedCategoryDetail, TypedSheet } from "../../lib/answer-types";
import { Button } from "../../kit/button";
import { Dialog } from "../../kit/dialog";
import { LongTextField, TextField } from "../../kit/field";
import { Loaded } from "../../kit/loaded";
import { Select } from "../../kit/select";
import { Table } from "../../kit/table";
import { pointsIn } from "../../portal/judge/words";
import { SectionHead, Part } from "../shell/parts";
import { useSession } from "../shell/session";
import { useValidForm } from "../shell/use-form";
import { useTyped, useCategorySteps, type Take } from "./api";

interface Sheet {
  judge: number;
  judgeName: string;
  code: string;
  paperBy: string | null;
}

/** Paper sheets: one person types each of them in, and another one verifies it. */
export function PaperPage({ path }: { path: string }) {
  const { read, busy, take } = useCategorySteps(path);
  return (
    <>
      <SectionHead back={{ show: null }} backTo={read.data?.label ?? "Category"} title="Paper sheets" />
      <p className="measure">For judges who score on paper. One person types a sheet in, and another one compares it with the paper and verifies it. It counts only then.</p>
      <Loaded of={read} loading="Loading the category…" failed="This category could not be loaded." keepsData>
        {(detail) => detail.state === "scoring" ? <Parts detail={detail} busy={busy} take={take} /> : <p className="empty">Sheets are typed in while the category is scored.</p>}
      </Loaded>
    </>
  );
}

function Parts({ detail, busy, take }: { detail: JudgedCategoryDetail; busy: boolean; take: Take }) {
  const { rubric, progress } = detail;
  const [shown, setShown] = useState<Sheet>();
  const open: Sheet[] = progress.flatMap(({ judge, name, sheets }) => sheets
    .filter(({ state }) => state === "open" || state === "saved")
    .map(({ code, paperBy }) => ({ judge, judgeName: name, code, paperBy })));
  const form = useValidForm<PaperValues, PaperValues>(paperSheetSchema(rubric, open.map(keyOf)), emptyPaper(rubric));
  return (
    <>
      <Waiting sheets={open.filter(({ paperBy }) => paperBy !== null)} onShow={setShown} />
      <TypeIn detail={detail} sheets={open} form={form} busy={busy} take={take} />
      {shown && (
        <Verify
          detail={detail} sheet={shown} busy={busy} take={take} onClose={() => setShown(undefined)}
          onCorrect={(typed) => {
            form.reset(paperOf(keyOf(shown), typed, rubric));
            setShown(undefined);
          }}
        />
      )}
    </>
  );
}

/** Sheets that somebody has typed in. */
function Waiting({ sheets, onShow }: { sheets: Sheet[]; onShow: (sheet: Sheet) => void }) {
  return (
    <Part title="To be verified">
      {sheets.length === 0 ? <p className="empty">No sheet waits to be verified.</p> : (
        <Table
          caption="Sheets to be verified" rows={sheets} rowKey={keyOf} figures
          columns={[
            { name: "sheet", label: "Sheet", cell: ({ code, judgeName }) => <>{code}<span className="row-email">{judgeName}</span></> },
            { name: "by", label: "Typed in by", cell: ({ paperBy }) => paperBy },
            { name: "actions", label: "Actions", hideLabel: true, cell: (sheet) => <Button look="text" onClick={() => onShow(sheet)}>Compare…<span className="hidden-text"> {sheet.code} of {sheet.judgeName}</span></Button> },
          ]}
        />
      )}
    </Part>
  );
}

interface TypeInProps {
  detail: JudgedCategoryDetail;
  sheets: Sheet[];
  form: UseFormReturn<PaperValues>;
  busy: boolean;
  take: Take;
}

function TypeIn({ detail: { rubric, entries }, sheets, form, busy, take }: TypeInProps) {
  const { register, handleSubmit, reset, control, formState: { errors } } = form;
  const values = useWatch({ control });
  const save = handleSubmit(async (typed) => {
    const chosen = sheets.find((one) => keyOf(one) === typed.sheet);
    if (!chosen) return;
    const { judge, judgeName, code } = chosen;
    const isTaken = await take({ action: "paper", judge, code, ...paperBody(typed, rubric) }, { title: "Typed In", message: `${code} of ${judgeName} waits for a second person.` });
    if (isTaken) reset(emptyPaper(rubric));
  });
  const name = (code: string) => entries.find((entry) => entry.code === code)?.name ?? "";
  const max = rubric.criteria.reduce((sum, criterion) => sum + criterion.max, 0);
  return (
    <Part title="Type a sheet in">
      <form className="paper-form" noValidate onSubmit={(event) => void save(event)}>
        <Select
          label="Sheet" value={values.sheet ?? ""} error={errors.sheet?.message}
          options={[{ value: "", label: "Choose" }, ...sheets.map((one) => ({ value: keyOf(one), label: `${one.judgeName}: ${one.code} ${name(one.code)}` }))]}
          {...register("sheet", { onChange: ({ target }: { target: HTMLSelectElement }) => reset({ ...emptyPaper(rubric), sheet: target.value }) })}
        />
        <fieldset>
          <legend className="field-label">Points</legend>
          <div className="paper-points">
            {rubric.criteria.map(({ key, label, max }) => <TextField key={key} label={label} note={`of ${max}`} inputMode="decimal" error={errors[`c-${key}`]?.message} {...register(`c-${key}`)} />)}
          </div>
          <p className="figures" role="status">Together {totalOf(values as PaperValues, rubric)} of {max} points.</p>
        </fieldset>
        {rubric.penalties.length > 0 && (
          <fieldset>
            <legend className="field-label">Penalties</legend>
            <div className="paper-points">
              {rubric.penalties.map(({ key, label, max }) => <TextField key={key} label={label} note={`up to ${max}`} inputMode="decimal" error={errors[`p-${key}`]?.message} {...register(`p-${key}`)} />)}
            </div>
          </fieldset>
        )}
        <LongTextField label="Comment for the competitor" note="(optional)" rows={3} maxLength={2000} {...register("comment")} />
        <Button type="submit" busy={busy} busyLabel="Saving…">Save for a second person</Button>
      </form>
    </Part>
  );
}

interface VerifyProps {
  detail: JudgedCategoryDetail;
  sheet: Sheet;
  busy: boolean;
  take: Take;
  onClose: () => void;
  onCorrect: (typed: TypedSheet) => void;
}

/** What was typed in, beside which the paper is held. */
function Verify({ detail: { path, rubric }, sheet, busy, take, onClose, onCorrect }: VerifyProps) {
  const { judge, judgeName, code, paperBy } = sheet;
  const read = useTyped(path, { judge, code });
  const session = useSession().data;
  const isOwn = typeof session === "object" && session.username === paperBy;
  const verify = async () => {
    if (await take({ action: "paper/verify", judge, code, savedAt: read.data?.savedAt }, { title: "Verified", message: `${code} of ${judgeName} counts now.` })) onClose();
  };
  return (
    <Dialog
      title={`${code} of ${judgeName}`} onClose={onClose}
      actions={read.data && (
        <>
          {!isOwn && <Button busy={busy} busyLabel="Saving…" onClick={() => void verify()}>The same as on paper</Button>}
          <Button look="outline" onClick={() => onCorrect(read.data!)}>Correct it…</Button>
        </>
      )}
    >
      {isOwn
        ? <p>You typed this sheet in as {paperBy}, so a second person has to verify it, signed in with another account.</p>
        : <p>Typed in by {paperBy}. Please compare each line with the paper. Whoever corrects a sheet cannot verify it.</p>}
      <Loaded of={read} loading="Loading the sheet…" failed="This sheet could not be loaded.">
        {(typed) => (
          <>
            <table className="table figures paper-compare">
              <caption className="hidden-text">What was typed in</caption>
              <thead><tr><th scope="col">Criterion</th><th scope="col">Points</th></tr></thead>
              <tbody>
                {rubric.criteria.map(({ key, label, max }) => <tr key={key}><th scope="row">{label}</th><td>{typed.scores.find(({ criterion }) => criterion === key)?.points ?? "–"} of {max}</td></tr>)}
                {rubric.penalties.map(({ key, label }) => {
                  const given = typed.penalties.find(({ penalty }) => penalty === key)?.points ?? 0;
                  return given > 0 && <tr key={key}><th scope="row">Penalty: {label}</th><td>−{given}</td></tr>;
                })}
              </tbody>
              <tfoot><tr><th scope="row">Together, before penalties</th><td>{totalOf(paperOf("", typed, rubric), rubric)}</td></tr></tfoot>
            </table>
            {typed.comment && <><h3>Comment</h3><p className="long-text">{typed.comment}</p></>}
          </>
        )}
      </Loaded>
    </Dialog>
  );
}

function keyOf({ judge, code }: Sheet): string {
  return `${judge} ${code}`;
}

/** The typed values by the names of their fields: `sheet`, `comment`, `c-KEY` for a criterion, `p-KEY` for a penalty. */
type PaperValues = Record<string, string>;

type Rubric = JudgedCategoryDetail["rubric"];

/** A form in which nothing is typed yet. */
export function emptyPaper({ criteria, penalties }: Rubric): PaperValues {
  const fields = ["sheet", ...criteria.map(({ key }) => `c-${key}`), ...penalties.map(({ key }) => `p-${key}`), "comment"];
  return Object.fromEntries(fields.map((name) => [name, ""]));
}

/** A sheet that was typed in, to be corrected. */
export function paperOf(sheet: string, { scores, penalties, comment }: TypedSheet, rubric: Rubric): PaperValues {
  return {
    ...emptyPaper(rubric), sheet, comment,
    ...Object.fromEntries(scores.map(({ criterion, points }) => [`c-${criterion}`, String(points)])),
    ...Object.fromEntries(penalties.map(({ penalty, points }) => [`p-${penalty}`, points === 0 ? "" : String(points)])),
  };
}

/** Checks the typed values. `sheets` are the ones that can be typed in. */
export function paperSheetSchema({ criteria, penalties, step }: Rubric, sheets: string[]): GenericSchema<PaperValues> {
  const scale = (max: number) => check((typed: string) => typed === "" || pointsIn(typed, { max, step }) !== undefined, `Please enter 0 to ${max}${step === 1 ? "" : ` in steps of ${step}`}`);
  const points = criteria.map(({ key, max }) => [`c-${key}`, pipe(string(), trim(), nonEmpty("Please enter the points"), scale(max))]);
  const deducted = penalties.map(({ key, max }) => [`p-${key}`, pipe(string(), trim(), scale(max))]);
  return object({ sheet: picklist(sheets, "Please choose a sheet"), ...Object.fromEntries([...points, ...deducted]), comment: pipe(string(), trim()) });
}

/** Checked values as the server takes them. A penalty that is left empty takes back what was typed before. */
export function paperBody(values: PaperValues, { criteria, penalties, step }: Rubric) {
  const number = (name: string, max: number) => pointsIn(values[name] ?? "", { max, step }) ?? 0;
  return {
    scores: criteria.map(({ key, max }) => ({ criterion: key, points: number(`c-${key}`, max) })),
    penalties: penalties.map(({ key, max }) => ({ penalty: key, points: number(`p-${key}`, max) })),
    comment: values.comment ?? "",
  };
}

/** The sum of the points, before penalties. */
export function totalOf(values: PaperValues, { criteria, step }: Rubric): number {
  return criteria.reduce((sum, { key, max }) => sum + (pointsIn(values[`c-${key}`] ?? "", { max, step }) ?? 0), 0);
}
