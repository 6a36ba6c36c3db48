import { useState } from "react";
import { Button } from "../kit/button";
import { useBusy } from "../kit/use-busy";

/** The signed-in address and the sign-out buttons. */
export function Account({ email, leave }: { email: string; leave: (everywhere: boolean) => Promise<void> }) {
  const { busy, run } = useBusy();
  const [failed, setFailed] = useState(false);
  const go = (everywhere: boolean) => run(() => leave(everywhere).catch(() => setFailed(true)));
  return (
    <section className="portal-account" aria-label="Your session">
      <p>Signed in as <strong>{email}</strong></p>
      <div className="buttons">
        <Button look="text" inactive={busy} onClick={() => go(false)}>Sign out</Button>
        <Button look="text" inactive={busy} onClick={() => go(true)}>Sign out everywhere</Button>
      </div>
      <p className="soft">Signing out everywhere also turns off the links in your emails. You can ask for a new link at any time.</p>
      {failed && <p role="alert" className="field-error">You could not be signed out. Please try again.</p>}
    </section>
  );
}
