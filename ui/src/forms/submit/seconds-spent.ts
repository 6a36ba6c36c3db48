/**
 * Seconds since the document was opened, to a tenth, by a clock that nobody can set back. Not since the form was
 * seen: what a browser filled in by itself is sent as soon as a person has read the button, and whoever is taken
 * for a machine gets no mail.
 */
export function secondsSpent(): number {
  return Math.round(performance.now() / 100) / 10;
}
