import { useEffect, useState } from "react";
import { useSearch } from "wouter";
import { ApiError } from "../../lib/api-error";
import { SiteLink } from "../../kit/site-link";
import { Failure } from "../../kit/loaded";
import { readScoreSheet, type Nomination, type ScoreSheet } from "../api";
import { Frame, Title, type PortalData } from "../frame";
import { ScoreSheetPage } from "./score-sheet-page";

export interface ScoreSheetsProps {
  data: PortalData;
  nominations: Nomination[];
}

/** The score sheet of `?nomination=`, or of the first one that has one. */
export function ScoreSheets({ nominations }: ScoreSheetsProps) {
  const asked = Number(new URLSearchParams(useSearch()).get("nomination"));
  const id = asked || nominations.find(({ scoreSheet }) => scoreSheet)?.id;
  const [sheet, setSheet] = useState<ScoreSheet>();
  const [error, setError] = useState<unknown>();
  const load = () => {
    setError(undefined);
    if (id !== undefined) readScoreSheet(id).then(setSheet, setError);
  };
  useEffect(load, [id]);
  if (sheet) return <Frame><Back /><ScoreSheetPage sheet={sheet} /></Frame>;
  const isNone = id === undefined || (error instanceof ApiError && error.status === 404);
  return (
    <Frame>
      <Back />
      <Title takesFocus>Score sheet</Title>
      {isNone ? <p className="lead">There is no score sheet yet. We will email you when the results are published.</p>
        : error === undefined ? <p role="status" className="portal-loading">Loading…</p> : <Failure error={error} onRetry={load}>The score sheet could not be loaded.</Failure>}
    </Frame>
  );
}

function Back() {
  return <p className="portal-back"><SiteLink href="/artist-portal">All nominations</SiteLink></p>;
}
