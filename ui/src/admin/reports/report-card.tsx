import { Button } from "../../kit/button";
import { sendReport, type Cadence } from "./api";
import { useSending } from "./use-sending";

const reports = {
  daily: { word: "Daily", text: "Yesterday in numbers and names, sent to the organiser's mailbox now." },
  weekly: { word: "Weekly", text: "The past seven days in numbers and names, sent to the organiser's mailbox now." },
};

/** Sends a report by hand. */
export function ReportCard({ cadence }: { cadence: Cadence }) {
  const { word, text } = reports[cadence];
  const { busy, refusal, send } = useSending({
    sent: { title: `${word} Report Sent`, message: `The ${cadence} report is in the organiser's mailbox.` },
    queued: `${word} Report Queued`,
    failed: { title: "Failed to Send Report", message: `There was an error sending the ${cadence} report. Please try again.` },
  });
  return (
    <article className="card">
      <h3>{word} report</h3>
      <p className="soft">{text}</p>
      {refusal && <p className="field-error">{refusal}</p>}
      <Button look="outline" busy={busy} busyLabel="Sending…" onClick={() => send(() => sendReport(cadence))}>Send {word} Report</Button>
    </article>
  );
}
