import { Button } from "../../kit/button";
import { Dialog } from "../../kit/dialog";

interface Props {
  /** What would be lost. */
  unsaved: string[];
  busy: boolean;
  onStay: () => void;
  onLeave: () => void;
}

/** Asks before signing out while something that was typed is not saved. */
export function SignOutDialog({ unsaved, busy, onStay, onLeave }: Props) {
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
