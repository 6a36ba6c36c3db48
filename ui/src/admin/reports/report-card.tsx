import { useState } from "react";
import { sendMail } from "./sending";
import { useBusy } from "../../kit/use-busy";

const reports = {
  daily: { word: "Daily", text: "Yesterday in numbers and names, sent to the organiser's mailbox now." },
  weekly: { word: "Weekly", text: "The past seven days in numbers and names, sent to the organiser's mailbox now." },
};

/** Sends a report by hand. */
export function ReportCard({ cadence }: { cadence: keyof typeof reports }) {
  const { word, text } = reports[cadence];
  const { busy, run } = useBusy();
  const [refusal, setRefusal] = useState<string>();
  const send = () => run(async () => {
    setRefusal(await sendMail(`/api/export/send-${cadence}-report`, undefined, {
      sent: { title: `${word} Report Sent`, message: `The ${cadence} report is in the organiser's mailbox.` },
      queued: `${word} Report Queued`,
      failed: { title: "Failed to Send Report", message: `There was an error sending the ${cadence} report. Please try again.` },
    }));
  });
  return (
    <article className="card">
      <h3>{word} report</h3>
      <p className="soft">{text}</p>
      {refusal && <p className="field-error">{refusal}</p>}
      <button type="button" className="button button-outline admin-button" aria-disabled={busy} onClick={send}>{busy ? "Sending..." : `Send ${word} Report`}</button>
    </article>
  );
}
