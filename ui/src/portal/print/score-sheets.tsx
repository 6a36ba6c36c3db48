import { useCallback } from "react";
import { useSearch } from "wouter";
import type { OwnNomination } from "../../lib/answer-types";
import { SiteLink } from "../../kit/site-link";
import { Loaded, useRead } from "../../kit/loaded";
import { readScoreSheet } from "../api";
import { Frame, LoadingText, Title } from "../frame";
import { ScoreSheetPage } from "./score-sheet-page";

export interface ScoreSheetsProps {
  nominations: OwnNomination[];
}

/** The score sheet of `?nomination=`, or of the first one that has one. */
export function ScoreSheets({ nominations }: ScoreSheetsProps) {
  const asked = Number(new URLSearchParams(useSearch()).get("nomination"));
  const id = asked || nominations.find(({ scoreSheet }) => scoreSheet)?.id;
  return (
    <Frame>
      <p className="portal-back"><SiteLink href="/artist-portal">All nominations</SiteLink></p>
      {id === undefined ? <>{title}{none}</> : <Sheet key={id} id={id} />}
    </Frame>
  );
}

const title = <Title takesFocus>Score sheet</Title>;
const none = <p className="lead">There is no score sheet yet. We will email you when the results are published.</p>;

function Sheet({ id }: { id: number }) {
  const sheet = useRead(useCallback(() => readScoreSheet(id), [id]));
  return (
    <>
      {sheet.data === undefined && title}
      <Loaded of={sheet} loading={<LoadingText />} failed="The score sheet could not be loaded." missing={none}>
        {(data) => <ScoreSheetPage sheet={data} />}
      </Loaded>
    </>
  );
}
