import { useState } from "react";
import { AddressLink } from "../shell/address-link";
import { Instant } from "../shell/instant";
import { roles, type Detail, type Progress, type SheetState } from "./api";
import { ReasonDialog } from "./reason-dialog";
import type { Take } from "./use-category-steps";
import { StateMark, StateShape } from "./state-mark";
import { allSheets, sheetStates } from "./words";

type Sheet = Progress["sheets"][number];

/** Every sheet of every judge: who has confirmed what, and nobody's points. */
export function ProgressTable({ detail, busy, take }: { detail: Detail; busy: boolean; take: Take }) {
  const [reopening, setReopening] = useState<{ judge: Progress; sheet: Sheet }>();
  const codes = detail.entries.map(({ code }) => code).filter((code) => detail.progress.some(({ sheets }) => sheets.some((sheet) => sheet.code === code)));
  return (
    <section className="admin-part" aria-labelledby="progress-title">
      <h2 id="progress-title">Sheets</h2>
      <ul className="judge-progress">
        {detail.progress.map(({ judge, name, role, counts, lastSavedAt }) => (
          <li key={judge}>
            <strong>{name}</strong>{role !== "judge" && <span className="soft"> {roles[role].toLowerCase()}</span>}
            <span className="row-email figures">
              {counts.confirmed} of {allSheets(counts)} confirmed{counts.conflict > 0 && `, ${counts.conflict} ${counts.conflict === 1 ? "conflict" : "conflicts"}`}{counts.abstained > 0 && `, ${counts.abstained} abstained`}
              {lastSavedAt && <>, last saved <Instant at={lastSavedAt} /></>}
            </span>
          </li>
        ))}
      </ul>
      {/* A wide table must scroll by keyboard, too. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className="sheet-matrix" role="region" aria-label="Sheets by nomination and judge" tabIndex={0}>
        <table className="table figures">
          <thead><tr><th scope="col">Nomination</th>{detail.progress.map(({ judge, name }) => <th key={judge} scope="col">{name}</th>)}</tr></thead>
          <tbody>
            {codes.map((code) => (
              <tr key={code}>
                <th scope="row">{code}</th>
                {detail.progress.map((judge) => <td key={judge.judge}><Cell judge={judge} code={code} isOpen={detail.state === "scoring"} onReopen={(sheet) => setReopening({ judge, sheet })} /></td>)}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {detail.state === "scoring" && <p><AddressLink to={{ show: "paper" }} arrives>Paper sheets</AddressLink></p>}
      <p className="sheet-legend" aria-hidden="true">{(Object.keys(sheetStates) as SheetState[]).map((state) => <StateMark key={state} state={state} />)}</p>
      {reopening && (
        <ReasonDialog
          title={`Reopen ${reopening.sheet.code} of ${reopening.judge.name}`} action="Reopen" busy={busy} onClose={() => setReopening(undefined)}
          onSend={async (reason) => (await take({ action: "reopen", judge: reopening.judge.judge, code: reopening.sheet.code, reason }, { title: "Reopened", message: `${reopening.judge.name} can change this sheet.` })) && setReopening(undefined)}
        />
      )}
    </section>
  );
}

function Cell({ judge, code, isOpen, onReopen }: { judge: Progress; code: string; isOpen: boolean; onReopen: (sheet: Sheet) => void }) {
  const sheet = judge.sheets.find((one) => one.code === code);
  if (!sheet) return <span className="soft">–</span>;
  const shape = <><StateShape state={sheet.state} />{sheet.state === "saved" && sheet.missing.length > 0 && <span className="soft"> {sheet.missing.length} left</span>}{sheet.paperBy && <span className="soft"> paper</span>}</>;
  if (!isOpen || sheet.state !== "confirmed") return shape;
  return <button type="button" className="sheet-cell" title="Reopen this sheet" aria-label={`Confirmed${sheet.paperBy ? " on paper" : ""}. Reopen ${code} of ${judge.name}`} onClick={() => onReopen(sheet)}>{shape}</button>;
}
