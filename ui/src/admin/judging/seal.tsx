import { useState } from "react";
import { Button } from "../../kit/button";
import { buttonClass } from "../../kit/button-class";
import { Dialog } from "../../kit/dialog";
import { nominationStates } from "../nominations/api";
import { AddressLink } from "../shell/address-link";
import { Blockers } from "./blockers";
import type { Detail } from "./api";
import { ReasonDialog } from "./reason-dialog";
import type { Take } from "./use-category-steps";

/** Seal, reveal, publish: one after the other. */
export function Seal({ detail, busy, take }: { detail: Detail; busy: boolean; take: Take }) {
  const [dialog, setDialog] = useState<"seal" | "publish" | "reopen">();
  const { state, blockers, entries, path } = detail;
  const waiting = entries.filter(({ state }) => state === "open" || state === "handed_in" || state === "returned");
  const send = async (step: Parameters<Take>[0], done: Parameters<Take>[1]) => {
    // A refusal is shown as a notification, and the question is answered either way.
    await take(step, done);
    setDialog(undefined);
  };
  if (state === "no_panel") return null;
  return (
    <section className="admin-part" aria-labelledby="seal-title">
      <h2 id="seal-title">{state === "scoring" ? "Seal" : state === "sealed" ? "Ceremony and publication" : "Published"}</h2>
      {state === "scoring" && (
        <>
          {blockers.length > 0
            ? <Blockers intro="This category cannot be sealed yet:" blockers={blockers} />
            : <p className="measure">Every sheet is confirmed. Sealing computes the results and ends the scoring.</p>}
          {waiting.length > 0 && <p className="measure">These nominations are not ready for the judges and will not be in the results: {waiting.map(({ code, state }) => `${code} (${nominationStates[state].toLowerCase()})`).join(", ")}.</p>}
          <div className="card-buttons"><Button inactive={blockers.length > 0} onClick={() => setDialog("seal")}>Seal…</Button></div>
        </>
      )}
      {state === "sealed" && (
        <>
          {blockers.length > 0
            ? <Blockers intro="These results cannot be published:" blockers={blockers} />
            : <p className="measure">Nobody but the organisers sees the results yet. Reveal them at the ceremony, then publish them.</p>}
          <div className="card-buttons">
            <AddressLink to={{ show: "ceremony", of: null }} arrives className={buttonClass("outline")}>Ceremony</AddressLink>
            <Button inactive={blockers.length > 0} onClick={() => setDialog("publish")}>Publish…</Button>
            <Button look="outline" onClick={() => setDialog("reopen")}>Reopen…</Button>
          </div>
        </>
      )}
      {state === "published" && (
        <>
          <p className="measure">The results are public, and each competitor has an email with the way to the score sheet.</p>
          <div className="card-buttons">
            <a className={buttonClass("outline")} href="/results">Results page</a>
            <AddressLink to={{ show: "certificates", of: path }} arrives className={buttonClass("outline")}>Certificates</AddressLink>
            <Button look="outline" onClick={() => setDialog("reopen")}>Reopen…</Button>
          </div>
        </>
      )}
      {dialog === "seal" && (
        <Dialog small title="Seal this category?" onClose={() => setDialog(undefined)} closeLabel="Cancel" actions={<Button busy={busy} busyLabel="Sealing…" onClick={() => send({ action: "seal" }, { title: "Sealed", message: "The results are computed." })}>Seal</Button>}>
          <p>No judge can change anything after that. You can reopen it with a reason.</p>
        </Dialog>
      )}
      {dialog === "publish" && (
        <Dialog small title="Publish the results?" onClose={() => setDialog(undefined)} closeLabel="Cancel" actions={<Button busy={busy} busyLabel="Publishing…" onClick={() => send({ action: "publish" }, { title: "Published", message: "Each competitor gets an email." })}>Publish</Button>}>
          <p>Places and points go on the results page, and each competitor of this category gets one email. When you correct results later, those whose points or place change get another one.</p>
        </Dialog>
      )}
      {dialog === "reopen" && <ReasonDialog title="Reopen this category" action="Reopen" busy={busy} onClose={() => setDialog(undefined)} onSend={(reason) => send({ action: "reopen", reason }, { title: "Reopened", message: "The seal is broken: head judge and organisers can reopen sheets." })} />}
    </section>
  );
}
