import type { ScoringProps } from "./scoring";

/** On the server nobody is signed in. */
export function Scoring(_props: ScoringProps) {
  return null;
}
