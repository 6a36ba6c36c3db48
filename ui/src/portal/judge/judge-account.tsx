import { useState } from "react";
import { Button } from "../../kit/button";
import { Dialog } from "../../kit/dialog";
import { useBusy } from "../../kit/use-busy";
import { Account } from "../account";
import type { Changes } from "./changes";
import { unsentText } from "./words";

interface Props {
  email: string;
  changes: Changes;
  leave: (everywhere: boolean) => Promise<void>;
}

/** The sign-out buttons. Everything is sent first, and the judge is asked about what cannot be sent. */
export function JudgeAccount({ email, changes, leave }: Props) {
  const [asked, setAsked] = useState<{ everywhere: boolean; count: number }>();
  const signOut = async (everywhere: boolean) => {
    await changes.flush();
    const count = changes.shown().waiting.length;
    if (count === 0) await leave(everywhere);
    else setAsked({ everywhere, count });
  };
  const discard = async (everywhere: boolean) => {
    await leave(everywhere);
    changes.discard();
  };
  return (
    <>
      <Account email={email} leave={signOut} />
      {asked && <Unsent count={asked.count} onSignOut={() => discard(asked.everywhere)} onClose={() => setAsked(undefined)} />}
    </>
  );
}

function Unsent({ count, onSignOut, onClose }: { count: number; onSignOut: () => Promise<void>; onClose: () => void }) {
  const { busy, run } = useBusy();
  const [failed, setFailed] = useState(false);
  const signOut = () => run(() => onSignOut().catch(() => setFailed(true)));
  return (
    <Dialog small title="Not everything has been sent" onClose={onClose} closeLabel="Stay signed in" actions={<Button busy={busy} busyLabel="Signing out…" onClick={signOut}>Delete and sign out</Button>}>
      <p>{unsentText(count)}</p>
      {failed && <p role="alert" className="field-error">You could not be signed out, and nothing was deleted. Please check your connection and try again.</p>}
    </Dialog>
  );
}
