import { useId, useState, type FormEvent } from "react";
import { sendMail } from "./sending";
import { useBusy } from "../../kit/use-busy";

/** A report made to order: which days, and with or without the rows. */
export function NotificationCard() {
  const id = useId();
  const { busy, run } = useBusy();
  const [period, setPeriod] = useState("daily");
  const [includeCSV, setIncludeCSV] = useState(true);
  const [refusal, setRefusal] = useState<string>();

  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run(async () => {
      setRefusal(await sendMail("/api/export/send-notification", { period, includeCSV }, {
        sent: { title: "Email Notification Sent", message: `The ${period} export is in the organiser's mailbox.` },
        queued: "Email Notification Queued",
        failed: { title: "Failed to Send Notification", message: "There was an error sending the email notification. Please try again." },
      }));
    });
  };

  return (
    <form className="card" aria-labelledby={`${id}-title`} onSubmit={submit}>
      <h3 id={`${id}-title`}>Custom email export</h3>
      <label className="field-label" htmlFor={`${id}-period`}>Period</label>
      <div className="select">
        <select id={`${id}-period`} className="input" value={period} onChange={(event) => setPeriod(event.target.value)}>
          <option value="daily">Daily: yesterday</option>
          <option value="weekly">Weekly: the past seven days</option>
        </select>
      </div>
      <label className="switch">
        <input type="checkbox" role="switch" aria-checked={includeCSV} checked={includeCSV} onChange={(event) => setIncludeCSV(event.target.checked)} />
        <span>Include CSV attachment</span>
      </label>
      {refusal && <p className="field-error">{refusal}</p>}
      <button type="submit" className="button button-outline admin-button" aria-disabled={busy}>{busy ? "Sending..." : "Send Email Export"}</button>
    </form>
  );
}
