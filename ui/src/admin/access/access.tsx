import useSWR from "swr";
import { request } from "../../lib/request";
import { Accounts, type Account } from "./accounts";
import type { Confirmed } from "../shell/confirmed";
import { AdminTitle } from "../shell/admin-title";
import { Failure } from "../shell/failure";
import { Instant } from "../shell/instant";
import { usePasswordPrompt } from "../shell/password-prompt";
import { sections } from "../shell/sections";
import { useAction } from "../shell/use-action";

interface Session {
  id: string;
  username: string;
  createdAt: string;
  lastSeenAt: string;
  userAgent: string | null;
  isThis: boolean;
}

/** Who may sign in, and who is signed in now. */
export function AccessSection() {
  const accounts = useSWR<{ items: Account[] }, unknown>(["/api", "admin", "accounts"]);
  const sessions = useSWR<{ items: Session[] }, unknown>(["/api", "admin", "sessions"]);
  const { confirmed, prompt } = usePasswordPrompt();
  return (
    <>
      <header className="admin-head"><AdminTitle>{sections.access}</AdminTitle></header>
      {accounts.error !== undefined
        ? <Failure error={accounts.error} onRetry={() => accounts.mutate()}>The accounts could not be read.</Failure>
        : <Accounts accounts={accounts.data?.items} confirmed={confirmed} onChanged={() => Promise.all([accounts.mutate(), sessions.mutate()])} />}
      <section className="admin-part" aria-labelledby="sessions-title">
        <h2 id="sessions-title">Signed in now</h2>
        {sessions.error !== undefined && <Failure error={sessions.error} onRetry={() => sessions.mutate()}>The sessions could not be read.</Failure>}
        {sessions.error === undefined && sessions.data && <Sessions sessions={sessions.data.items} confirmed={confirmed} onEnded={() => sessions.mutate()} />}
      </section>
      {prompt}
    </>
  );
}

function Sessions({ sessions, confirmed, onEnded }: { sessions: Session[]; confirmed: Confirmed; onEnded: () => unknown }) {
  const { busy, act } = useAction();
  const end = ({ id, username }: Session) => act(
    async () => {
      await confirmed(() => request(`/api/admin/sessions/${id}`, { method: "DELETE" }));
      await onEnded();
    },
    { title: "Session Ended", message: `${username} is signed out there.` },
    "The session could not be ended. Please try again.",
  );
  return (
    <table className="admin-table">
      <caption className="hidden-text">Sessions, the last used first</caption>
      <thead><tr><th scope="col">Who</th><th scope="col" className="roomy">Signed in</th><th scope="col">Last seen</th><th scope="col"><span className="hidden-text">End it</span></th></tr></thead>
      <tbody>
        {sessions.map((session) => (
          <tr key={session.id}>
            <th scope="row">{session.username}<span className="row-email">{session.isThis ? "This browser" : browserOf(session.userAgent)}</span></th>
            <td className="roomy"><Instant at={session.createdAt} /></td>
            <td><Instant at={session.lastSeenAt} /></td>
            <td>{!session.isThis && <button type="button" className="text-button" aria-disabled={busy} onClick={() => end(session)}>End<span className="hidden-text"> the session of {session.username}</span></button>}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** "Firefox on Windows", as far as a browser tells the truth. */
export function browserOf(agent: string | null): string {
  if (!agent) return "A program that does not say its name";
  const found = (names: readonly (readonly [string, string])[]) => names.find(([mark]) => agent.includes(mark))?.[1];
  const browser = found([["Edg/", "Edge"], ["OPR/", "Opera"], ["Firefox/", "Firefox"], ["CriOS/", "Chrome"], ["HeadlessChrome/", "Chrome"], ["Chrome/", "Chrome"], ["Safari/", "Safari"], ["curl/", "curl"]]);
  const system = found([["iPhone", "iPhone"], ["iPad", "iPad"], ["Android", "Android"], ["Windows", "Windows"], ["Mac OS X", "Mac"], ["Linux", "Linux"]]);
  if (!browser) return agent.slice(0, 60);
  return system ? `${browser} on ${system}` : browser;
}
