import { Button } from "../../kit/button";
import { Loaded } from "../../kit/loaded";
import { Table } from "../../kit/table";
import { Accounts } from "./accounts";
import { endSession, useAccounts, useSessions, type Session } from "./api";
import { browserOf } from "./browser-of";
import type { Confirmed } from "../shell/confirmed";
import { AdminTitle } from "../shell/admin-title";
import { Instant } from "../shell/instant";
import { usePasswordPrompt } from "../shell/password-prompt";
import { sections } from "../shell/sections";
import { useAction } from "../shell/use-action";

/** Who may sign in, and who is signed in now. */
export function AccessSection() {
  const accounts = useAccounts();
  const sessions = useSessions();
  const { confirmed, prompt } = usePasswordPrompt();
  return (
    <>
      <header className="admin-head"><AdminTitle>{sections.access}</AdminTitle></header>
      <Loaded of={accounts} loading="Loading the accounts…" failed="The accounts could not be loaded.">
        {({ items }) => <Accounts accounts={items} confirmed={confirmed} onChanged={() => Promise.all([accounts.mutate(), sessions.mutate()])} />}
      </Loaded>
      <section className="admin-part" aria-labelledby="sessions-title">
        <h2 id="sessions-title">Sessions</h2>
        <Loaded of={sessions} loading="Loading the sessions…" failed="The sessions could not be loaded.">
          {({ items }) => <Sessions sessions={items} confirmed={confirmed} onEnded={() => sessions.mutate()} />}
        </Loaded>
      </section>
      {prompt}
    </>
  );
}

function Sessions({ sessions, confirmed, onEnded }: { sessions: Session[]; confirmed: Confirmed; onEnded: () => unknown }) {
  const { busy, act } = useAction();
  const end = ({ id, username }: Session) => act(
    async () => {
      await confirmed(() => endSession(id));
      await onEnded();
    },
    { title: "Session Ended", message: `${username} is signed out there.` },
    "The session could not be ended. Please try again.",
  );
  return (
    <Table
      caption="Sessions, the last used first" rows={sessions} rowKey={({ id }) => id}
      columns={[
        { name: "who", label: "Name", cell: ({ username, isThis, userAgent }) => <>{username}<span className="row-email">{isThis ? "This browser" : browserOf(userAgent)}</span></> },
        { name: "began", label: "Signed in", from: "roomy", cell: ({ createdAt }) => <Instant at={createdAt} /> },
        { name: "used", label: "Last seen", cell: ({ lastSeenAt }) => <Instant at={lastSeenAt} /> },
        {
          name: "end", label: "Sign out", hideLabel: true,
          cell: (session) => !session.isThis && <Button look="text" inactive={busy} onClick={() => end(session)}>Sign out<span className="hidden-text"> {session.username}, {browserOf(session.userAgent)}</span></Button>,
        },
      ]}
    />
  );
}
