import { useState } from "react";
import { detailOf } from "../../lib/api-error";
import { Button } from "../../kit/button";
import { toast } from "../../kit/toast-store";
import { useBusy } from "../../kit/use-busy";
import { Dialog } from "../../kit/dialog";
import { useAdmin } from "./admin-context";
import { Find } from "./search";
import { signOut, type Session } from "./session";
import { findUnsaved } from "./unsaved";

/** The bar: the event, search and signing out. */
export function AdminBar({ session }: { session: Session | null }) {
  const { event } = useAdmin();
  const { busy, run } = useBusy();
  /** What would be lost. Signing out was asked for, and waits for an answer. */
  const [unsaved, setUnsaved] = useState<string[]>([]);
  const leave = (isSure: boolean) => run(async () => {
    try {
      const left = isSure ? [] : await findUnsaved();
      setUnsaved(left);
      if (left.length > 0) return;
      await signOut();
      toast({ title: "Signed Out", message: "You are signed out." });
    } catch (error) {
      toast({ title: "Error", message: detailOf(error) ?? "The server did not answer, so you are still signed in. Please try again.", tone: "destructive" });
    }
  });
  return (
    <>
      <header className="admin-bar">
        <p className="admin-brand">
          <span className="admin-event">{event}</span>
          <span className="admin-role">Organiser&rsquo;s pages</span>
        </p>
        {session && <Find />}
        <div className="admin-bar-end">
          <a href="/">View the site</a>
          {session && (
            <>
              <span className="admin-who">Signed in as {session.username}</span>
              <Button look="text" inactive={busy} onClick={() => void leave(false)}>Sign out</Button>
            </>
          )}
        </div>
      </header>
      {unsaved.length > 0 && (
        // A section, so that the dialog's header and footer are not those of the page.
        <section>
          <SignOutDialog unsaved={unsaved} busy={busy} onStay={() => setUnsaved([])} onLeave={() => void leave(true)} />
        </section>
      )}
    </>
  );
}

interface Props {
  /** What would be lost. */
  unsaved: string[];
  busy: boolean;
  onStay: () => void;
  onLeave: () => void;
}

/** Asks before signing out while something that was typed is not saved. */
function SignOutDialog({ unsaved, busy, onStay, onLeave }: Props) {
  return (
    <Dialog
      title="Sign out without saving?" small closeLabel="Stay signed in" onClose={onStay}
      actions={<Button busy={busy} busyLabel="Signing out…" onClick={onLeave}>Sign out</Button>}
    >
      <p>This is not saved yet, and is lost if you sign out now:</p>
      <ul className="points">{unsaved.map((what) => <li key={what}>{what}</li>)}</ul>
    </Dialog>
  );
}
