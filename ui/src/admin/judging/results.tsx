import { Link } from "wouter";
import { useState } from "react";
import type { CategoryResult, JudgeProgress, JudgedCategoryDetail, SheetState } from "../../lib/answer-types";
import { Table } from "../../kit/table";
import { ordinal } from "../../portal/print/certificate";
import { Button, buttonClass } from "../../kit/button";
import { Dialog } from "../../kit/dialog";
import { signed } from "../../lib/numbers";
import { Part } from "../shell/parts";
import { sectionPath } from "../shell/sections";
import { nominationStates } from "../shell/status-mark";
import { AddressLink } from "../shell/address";
import { Instant } from "../shell/admin-context";
import { roles, type Take } from "./api";
import { StateMark, StateShape, allSheets, sheetStates } from "./state-mark";
import { ReasonDialog, Blockers } from "./reason-dialog";

/** The sealed results. */
export function Results({ detail: { results } }: { detail: JudgedCategoryDetail }) {
  if (!results) return null;
  return (
    <section aria-labelledby="results-title">
      <h2 id="results-title">Results</h2>
      <Table
        caption="Results" rows={results} rowKey={({ code }) => code} figures
        columns={[
          {
            name: "nomination", label: "Nomination",
            cell: ({ code, id, name, businessName, sentence }) => <>{id === null ? "Erased" : <Link href={`${sectionPath("nominations")}?id=${id}`}>{name}</Link>}<span className="row-email">{code}{businessName && `, ${businessName}`}</span>{sentence && <span className="row-email">{sentence}</span>}</>,
          },
          { name: "place", label: "Place", cell: ({ place, state }) => place === null ? (state === "disqualified" ? "Disqualified" : "–") : <strong>{ordinal(place)}</strong> },
          { name: "total", label: "Before penalties", from: "wide", cell: ({ total }) => total },
          { name: "less", label: "Penalties, adjustment", from: "wide", cell: (result) => deductions(result) },
          { name: "points", label: "Points", cell: ({ points }) => <strong>{points}</strong> },
        ]}
      />
    </section>
  );
}

function deductions({ penalties, adjustment }: CategoryResult): string {
  const parts = [...(Number(penalties) === 0 ? [] : [`\u2212${penalties}`]), ...(adjustment === null ? [] : [signed(adjustment)])];
  return parts.join(", ") || "–";
}

/** Seal, reveal, publish: one after the other. */
export function Seal({ detail, busy, take }: { detail: JudgedCategoryDetail; busy: boolean; take: Take }) {
  const [dialog, setDialog] = useState<"seal" | "publish" | "reopen">();
  const { state, blockers, entries, path, ties, requests } = detail;
  const waiting = entries.filter(({ state }) => state === "open" || state === "handed_in" || state === "returned");
  const send = async (step: Parameters<Take>[0], done: Parameters<Take>[1]) => {
    // A refusal is shown as a notification, and the question is answered either way.
    await take(step, done);
    setDialog(undefined);
  };
  if (state === "no_panel") return null;
  return (
    <Part title={state === "scoring" ? "Seal" : state === "sealed" ? "Ceremony and publication" : "Published"}>
      {state === "scoring" && (
        <>
          {blockers.length > 0
            ? <Blockers intro="This category cannot be sealed yet:" blockers={blockers} />
            : <p className="measure">Every sheet is confirmed. Sealing computes the results and ends the scoring.</p>}
          {waiting.length > 0 && <p className="measure">These nominations are not ready for the judges and will not be in the results: {waiting.map(({ code, state }) => `${code} (${nominationStates[state].toLowerCase()})`).join(", ")}.</p>}
          {ties.length > 0 && <p className="measure">These share a place unless the head judge decides before the seal: {ties.map(({ codes, place }) => `${codes.join(" and ")} (place ${place})`).join(", ")}.</p>}
          {requests.length > 0 && <p className="measure">You have not decided about these competitors who know a judge: {requests.map(({ code, judgeName }) => `${code} (${judgeName})`).join(", ")}. After the seal, the judge&rsquo;s points count.</p>}
          <div className="card-buttons"><Button inactive={blockers.length > 0} onClick={() => setDialog("seal")}>Seal…</Button></div>
        </>
      )}
      {state === "sealed" && (
        <>
          {blockers.length > 0
            ? <Blockers intro="These results cannot be published:" blockers={blockers} />
            : <p className="measure">Nobody but the organisers sees the results yet. Reveal them at the ceremony, then publish them.</p>}
          <div className="card-buttons">
            <AddressLink to={{ show: "ceremony", of: null }} focusTitle className={buttonClass("outline")}>Ceremony</AddressLink>
            <Button inactive={blockers.length > 0} onClick={() => setDialog("publish")}>Publish…</Button>
            <Button look="outline" onClick={() => setDialog("reopen")}>Reopen…</Button>
          </div>
        </>
      )}
      {state === "published" && (
        <>
          <p className="measure">The results are public, and each competitor has an email with the way to the score sheet.</p>
          <div className="card-buttons">
            <a className={buttonClass("outline")} href="/results">Results page</a>
            <AddressLink to={{ show: "certificates", of: path }} focusTitle className={buttonClass("outline")}>Certificates</AddressLink>
            <Button look="outline" onClick={() => setDialog("reopen")}>Reopen…</Button>
          </div>
        </>
      )}
      {dialog === "seal" && (
        <Dialog small title="Seal this category?" onClose={() => setDialog(undefined)} closeLabel="Cancel" actions={<Button busy={busy} busyLabel="Sealing…" onClick={() => send({ action: "seal" }, { title: "Sealed", message: "The results are computed." })}>Seal</Button>}>
          <p>No judge can change anything after that. You can reopen it with a reason.</p>
        </Dialog>
      )}
      {dialog === "publish" && (
        <Dialog small title="Publish the results?" onClose={() => setDialog(undefined)} closeLabel="Cancel" actions={<Button busy={busy} busyLabel="Publishing…" onClick={() => send({ action: "publish" }, { title: "Published", message: "Each competitor gets an email." })}>Publish</Button>}>
          <p>Places and points go on the results page, and each competitor of this category gets one email. When you correct results later, those whose points or place change get another one.</p>
        </Dialog>
      )}
      {dialog === "reopen" && <ReasonDialog title="Reopen this category" action="Reopen" busy={busy} onClose={() => setDialog(undefined)} onSend={(reason) => send({ action: "reopen", reason }, { title: "Reopened", message: "The seal is broken: head judge and organisers can reopen sheets." })} />}
    </Part>
  );
}

type Sheet = JudgeProgress["sheets"][number];

/** Every sheet of every judge: who has confirmed what, and nobody's points. */
export function ProgressTable({ detail, busy, take }: { detail: JudgedCategoryDetail; busy: boolean; take: Take }) {
  const [reopening, setReopening] = useState<{ judge: JudgeProgress; sheet: Sheet }>();
  const codes = detail.entries.map(({ code }) => code).filter((code) => detail.progress.some(({ sheets }) => sheets.some((sheet) => sheet.code === code)));
  return (
    <Part title="Sheets">
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
      {detail.state === "scoring" && <p><AddressLink to={{ show: "paper" }} focusTitle>Paper sheets</AddressLink></p>}
      <p className="sheet-legend" aria-hidden="true">{(Object.keys(sheetStates) as SheetState[]).map((state) => <StateMark key={state} state={state} />)}</p>
      {reopening && (
        <ReasonDialog
          title={`Reopen ${reopening.sheet.code} of ${reopening.judge.name}`} action="Reopen" busy={busy} onClose={() => setReopening(undefined)}
          onSend={async (reason) => (await take({ action: "reopen", judge: reopening.judge.judge, code: reopening.sheet.code, reason }, { title: "Reopened", message: `${reopening.judge.name} can change this sheet.` })) && setReopening(undefined)}
        />
      )}
    </Part>
  );
}

function Cell({ judge, code, isOpen, onReopen }: { judge: JudgeProgress; code: string; isOpen: boolean; onReopen: (sheet: Sheet) => void }) {
  const sheet = judge.sheets.find((one) => one.code === code);
  if (!sheet) return <span className="soft">–</span>;
  const shape = <><StateShape state={sheet.state} />{sheet.state === "saved" && sheet.missing.length > 0 && <span className="soft"> {sheet.missing.length} left</span>}{sheet.paperBy && <span className="soft"> paper</span>}</>;
  if (!isOpen || sheet.state !== "confirmed") return shape;
  return <button type="button" className="sheet-cell" title="Reopen this sheet" aria-label={`Confirmed${sheet.paperBy ? " on paper" : ""}. Reopen ${code} of ${judge.name}`} onClick={() => onReopen(sheet)}>{shape}</button>;
}
