import type { ScoreSheetsProps } from "./score-sheets";

/** On the server nobody is signed in. */
export function ScoreSheets(_props: ScoreSheetsProps) {
  return null;
}
