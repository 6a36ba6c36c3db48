import { useState } from "react";
import type { ScoreSheet, VerifiedCertificate } from "../../lib/answer-types";
import { useSend, FormFailure } from "../../kit/form";
import { Button } from "../../kit/button";
import { signed } from "../../lib/numbers";
import { readCertificate } from "../api";
import { Title } from "../frame";
import { CertificatePage, ordinal, papers, type Paper } from "./certificate";

/** A nomination's score sheet, to read and to print. */
export function ScoreSheetPage({ sheet }: { sheet: ScoreSheet }) {
  const { busy, failure, send } = useSend({ failed: "The certificate could not be loaded. Please try again." });
  const [certificate, setCertificate] = useState<VerifiedCertificate>();
  if (certificate && sheet.certificate) return <OwnCertificate verified={certificate} {...sheet.certificate} onBack={() => setCertificate(undefined)} />;
  return (
    <article className="score-sheet">
      <header className="score-head">
        <div>
          <p className="eyebrow">Score sheet</p>
          <Title takesFocus>{sheet.label}</Title>
          <p className="figures">{sheet.code}</p>
        </div>
        <div className="score-result">
          <p className="score-points figures">{sheet.points}</p>
          <p>{placeText(sheet)}</p>
        </div>
      </header>
      {sheet.reason && <p className="portal-note">{sheet.reason}</p>}
      <div className="buttons score-actions">
        <Button look="outline" onClick={() => print()}>Print the score sheet</Button>
        {sheet.certificate && <Button look="outline" busy={busy} busyLabel="Loading…" onClick={() => send(async () => setCertificate(await readCertificate(sheet.certificate!.code)))}>Certificate</Button>}
      </div>
      <FormFailure>{failure}</FormFailure>
      <Criteria sheet={sheet} />
      {sheet.sentences.length > 0 && <ul className="score-sentences">{sheet.sentences.map((sentence) => <li key={sentence}>{sentence}</li>)}</ul>}
      {sheet.comments.length > 0 && (
        <section aria-labelledby="comments-title">
          <h2 id="comments-title" className="portal-part">From the judges</h2>
          {sheet.comments.map((comment, index) => <blockquote key={index} className="score-comment">{comment}</blockquote>)}
        </section>
      )}
      <section aria-labelledby="scale-title">
        <h2 id="scale-title" className="portal-part">How to read the points</h2>
        <dl className="score-scale">{sheet.scale.map(({ points, text }) => <div key={points}><dt className="figures">{points}</dt><dd>{text}</dd></div>)}</dl>
        <p className="soft">Your points are the mean of the panel. One judge&rsquo;s points are never shown.</p>
      </section>
    </article>
  );
}

function Criteria({ sheet: { criteria, criteriaTotal, penalties, penaltyTotal, penaltyCap, adjustment, points } }: { sheet: ScoreSheet }) {
  return (
    <table className="score-table figures">
      <caption className="hidden-text">Points by criterion, beside the category&rsquo;s</caption>
      <thead><tr><th scope="col">Criterion</th><th scope="col">Points</th><th scope="col">Category mean</th><th scope="col" className="score-range-head">Lowest to highest</th></tr></thead>
      <tbody>
        {criteria.map((criterion) => (
          <tr key={criterion.key}>
            <th scope="row">{criterion.label}<span className="score-full">{criterion.fullMarks}</span></th>
            <td><strong>{criterion.points}</strong> <span className="soft">/ {criterion.max}</span></td>
            <td>{criterion.mean}</td>
            <td className="score-range"><Range {...criterion} /><span className="soft">{criterion.lowest}–{criterion.highest}</span></td>
          </tr>
        ))}
      </tbody>
      <tbody className="score-sums">
        <tr><th scope="row">Sum of the criteria</th><td>{criteriaTotal}</td><td colSpan={2} /></tr>
        {penalties.map((penalty) => <tr key={penalty.key}><th scope="row">{penalty.label}<span className="score-full">Penalty</span></th><td>{signed(`-${penalty.points}`)}</td><td colSpan={2} /></tr>)}
        {penalties.length > 1 && <tr><th scope="row">Penalties<span className="score-full">At most {penaltyCap} in all</span></th><td>{signed(`-${penaltyTotal}`)}</td><td colSpan={2} /></tr>}
        {adjustment && <tr><th scope="row">Adjustment<span className="score-full">{adjustment.sentence}</span></th><td>{signed(adjustment.points)}</td><td colSpan={2} /></tr>}
        <tr className="score-total"><th scope="row">Points</th><td><strong>{points}</strong></td><td colSpan={2} /></tr>
      </tbody>
    </table>
  );
}

/** The category from its lowest to its highest points, its mean, and this nomination. */
function Range(criterion: ScoreSheet["criteria"][number]) {
  const { lowest, highest, mean, own } = rangeOf(criterion);
  return (
    <svg className="range" viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden="true">
      <path className="range-scale" d="M0 6H100" />
      <path className="range-span" d={`M${lowest} 6H${Math.max(highest, lowest + 0.5)}`} />
      <path className="range-mean" d={`M${mean} 1V11`} />
      <path className="range-own" d={`M${own} 0V12`} />
    </svg>
  );
}

function OwnCertificate({ verified, code, verifyUrl, onBack }: { verified: VerifiedCertificate; code: string; verifyUrl: string; onBack: () => void }) {
  const [paper, setPaper] = useState<Paper>("letter");
  const { event, date, ...rest } = verified;
  return (
    <>
      <div className="score-actions certificate-tools">
        <Title takesFocus>Certificate</Title>
        <p className="portal-lead">Print it in landscape, without the browser&rsquo;s margins and headers, or save it as PDF.</p>
        <div className="certificate-choice">
          <fieldset className="ticks-row">
            <legend className="field-label">Paper</legend>
            {(Object.keys(papers) as Paper[]).map((one) => <label key={one} className="tick"><input type="radio" name="paper" checked={paper === one} onChange={() => setPaper(one)} /><span>{papers[one]}</span></label>)}
          </fieldset>
          <Button onClick={() => print()}>Print</Button>
          <Button look="text" onClick={onBack}>Back to the score sheet</Button>
        </div>
      </div>
      {/* On a small screen the sheet of paper is wider than the window. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className="certificates" role="region" aria-label="Certificate" tabIndex={0}><CertificatePage certificate={{ ...rest, award: "", code, verifyUrl }} event={{ name: event, date }} paper={paper} /></div>
    </>
  );
}

/** "2nd of 18", or why there is no place. */
export function placeText({ state, place, placed }: Pick<ScoreSheet, "state" | "place" | "placed">): string {
  if (state === "disqualified") return "Disqualified";
  return place === null ? "Not placed" : `${ordinal(place)} of ${placed}`;
}

/** Positions on a scale from 0 to 100. */
export function rangeOf({ max, lowest, highest, mean, points }: Pick<ScoreSheet["criteria"][number], "max" | "lowest" | "highest" | "mean" | "points">) {
  const at = (value: string) => Math.round((Number(value) / max) * 1000) / 10;
  return { lowest: at(lowest), highest: at(highest), mean: at(mean), own: at(points) };
}
