import { useId, useState, type FormEvent } from "react";
import useSWR from "swr";
import type { Kind } from "../../lib/page";
import { request } from "../../lib/request";
import { AdminTitle } from "../shell/admin-title";
import { Failure } from "../shell/failure";
import { kindWords } from "../shell/kinds";
import { sections } from "../shell/sections";
import { useAction } from "../shell/use-action";

interface Opening {
  kind: Kind;
  open: boolean;
  /** What visitors read while it is closed. */
  message: string | null;
  closedByHand: boolean;
}

/** Which forms are open, and a way to close one at once. */
export function OpeningsSection() {
  const { data, error, mutate } = useSWR<{ items: Opening[] }, unknown>(["/api", "openings"]);
  return (
    <>
      <header className="admin-head"><AdminTitle>{sections.forms}</AdminTitle></header>
      <p className="measure">Close a form at once, and open it again. Dates and reasons that stand in the event file count as well: what it closes stays closed.</p>
      {error !== undefined && <Failure error={error} onRetry={() => mutate()}>The forms could not be read.</Failure>}
      {error === undefined && !data && <p className="admin-waiting">Reading the forms...</p>}
      {error === undefined && data && (
        <ul className="findings">
          {data.items.map((opening) => <li key={opening.kind}><FormCard opening={opening} onChanged={() => mutate()} /></li>)}
        </ul>
      )}
    </>
  );
}

function FormCard({ opening, onChanged }: { opening: Opening; onChanged: () => unknown }) {
  const id = useId();
  const { busy, act } = useAction();
  const [asked, setAsked] = useState(false);
  const name = kindWords[opening.kind].plural;
  const set = (open: boolean, message = "") => act(
    async () => {
      await request(`/api/openings/${opening.kind}`, { method: "POST", body: { open, message } });
      setAsked(false);
      await onChanged();
    },
    open ? { title: "Form Opened", message: `${name} can be sent again.` } : { title: "Form Closed", message: `${name} are closed from now on.` },
    "Nothing was changed. Please try again.",
  );
  const close = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    void set(false, String(new FormData(event.currentTarget).get("message") ?? ""));
  };
  return (
    <section className="finding" aria-labelledby={`${id}-name`}>
      <h2 id={`${id}-name`} className="title">{name}</h2>
      <p>{opening.open ? "Open." : <>Closed. Visitors read: “{opening.message}”</>}</p>
      {opening.closedByHand && <button type="button" className="button button-outline admin-button" aria-disabled={busy} onClick={() => set(true)}>Open again</button>}
      {opening.open && !asked && <button type="button" className="button button-outline admin-button" onClick={() => setAsked(true)}>Close...</button>}
      {opening.open && asked && (
        <form onSubmit={close}>
          <label className="field-label" htmlFor={`${id}-message`}>What visitors read (optional)</label>
          <input id={`${id}-message`} name="message" className="input" maxLength={500} autoComplete="off" placeholder="Entries are closed. Thank you to everyone who entered." />
          <button type="submit" className="button button-primary admin-button" aria-disabled={busy}>{busy ? "Closing..." : `Close ${name.toLowerCase()}`}</button>
          <button type="button" className="button button-outline admin-button" onClick={() => setAsked(false)}>Cancel</button>
        </form>
      )}
    </section>
  );
}
