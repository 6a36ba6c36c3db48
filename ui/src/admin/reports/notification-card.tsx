import { useWatch } from "react-hook-form";
import { boolean, object, picklist } from "valibot";
import { Button } from "../../kit/button";
import { Select } from "../../kit/select";
import { Switch } from "../../kit/checkbox";
import { useValidForm } from "../shell/use-valid-form";
import { sendExport } from "./api";
import { useSending } from "./use-sending";

const schema = object({ period: picklist(["daily", "weekly"]), includeCSV: boolean() });
const periods = [{ value: "daily", label: "Daily: yesterday" }, { value: "weekly", label: "Weekly: the past seven days" }];

/** Sends a report on demand, for a day or a week, with or without the rows as CSV. */
export function NotificationCard() {
  const { register, handleSubmit, control } = useValidForm(schema, { period: "daily", includeCSV: true });
  const period = useWatch({ control, name: "period" });
  const { busy, refusal, send } = useSending({
    sent: { title: "Email Notification Sent", message: `The ${period} export is in the organiser's mailbox.` },
    queued: "Email Notification Queued",
    failed: { title: "Failed to Send Notification", message: "There was an error sending the email notification. Please try again." },
  });
  return (
    <form className="card" aria-labelledby="notification-title" onSubmit={handleSubmit((choice) => send(() => sendExport(choice)))}>
      <h3 id="notification-title">Custom email export</h3>
      <Select label="Period" options={periods} {...register("period")} />
      <Switch label="Include CSV attachment" {...register("includeCSV")} />
      {refusal && <p className="field-error">{refusal}</p>}
      <Button type="submit" look="outline" busy={busy} busyLabel="Sending…">Send Email Export</Button>
    </form>
  );
}
