import { useState } from "react";
import { minLength, nonEmpty, object, pipe, string, trim } from "valibot";
import { Button } from "../../kit/button";
import { Loaded } from "../../kit/loaded";
import { Table } from "../../kit/table";
import { TextField } from "../../kit/field";
import { Part } from "../shell/parts";
import { usePasswordPrompt, type Confirmed } from "../shell/password-prompt";
import { AdminTitle } from "../shell/admin-title";
import { Instant } from "../shell/admin-context";
import { sections } from "../shell/sections";
import { useAction, useActionForm } from "../shell/use-form";
import { endSession, useAccounts, useSessions, addAccount, changePassword, removeAccount, type Session } from "./api";
import type { Account } from "../../lib/answer-types";

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
      <Part title="Sessions">
        <Loaded of={sessions} loading="Loading the sessions…" failed="The sessions could not be loaded.">
          {({ items }) => <Sessions sessions={items} confirmed={confirmed} onEnded={() => sessions.mutate()} />}
        </Loaded>
      </Part>
      {prompt}
    </>
  );
}

function Sessions({ sessions, confirmed, onEnded }: { sessions: Session[]; confirmed: Confirmed; onEnded: () => unknown }) {
  const { busy, act } = useAction(onEnded);
  const end = ({ id, username }: Session) => act(
    () => confirmed(() => endSession(id)),
    { title: "Session Ended", message: `${username} is signed out in that browser.` },
    "The session could not be ended. Please try again.",
  );
  return (
    <Table
      caption="Sessions, the most recently used first" rows={sessions} rowKey={({ id }) => id}
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

interface Props {
  accounts: Account[];
  confirmed: Confirmed;
  onChanged: () => unknown;
}

/** Organisers with a name of their own: added, given another password, removed. */
function Accounts({ accounts, confirmed, onChanged }: Props) {
  const [removing, setRemoving] = useState<string>();
  const { busy, act } = useAction(onChanged);
  const remove = (username: string) => act(
    () => confirmed(() => removeAccount(username)).then(() => setRemoving(undefined)),
    { title: "Account Removed", message: `${username} can no longer sign in.` },
    "The account could not be removed. Please try again.",
  );
  return (
    <section aria-labelledby="accounts-title">
      <h2 id="accounts-title">Accounts</h2>
      <p className="measure soft">Named accounts show who did what, in the history of a registration and in the audit log. The shared password still works too.</p>
      {accounts.length === 0 ? <p className="empty">There are no accounts yet. Everybody uses the shared password.</p> : (
        <Table
          caption="Accounts" rows={accounts} rowKey={({ username }) => username}
          columns={[
            { name: "name", label: "Name", cell: ({ username }) => username },
            { name: "added", label: "Added", from: "roomy", cell: ({ createdAt }) => <Instant at={createdAt} /> },
            { name: "seen", label: "Last seen", cell: ({ lastSeenAt }) => lastSeenAt ? <Instant at={lastSeenAt} /> : <span className="soft">Not signed in yet</span> },
            {
              name: "remove", label: "Remove", hideLabel: true,
              cell: ({ username }) => removing === username
                ? <Button look="text" inactive={busy} onClick={() => remove(username)}>Really remove {username}</Button>
                : <Button look="text" onClick={() => setRemoving(username)}>Remove<span className="hidden-text"> {username}</span></Button>,
            },
          ]}
        />
      )}
      <AccountForm accounts={accounts} confirmed={confirmed} onChanged={onChanged} />
    </section>
  );
}

const schema = object({
  username: pipe(string(), trim(), nonEmpty("Please enter a name.")),
  password: pipe(string(), minLength(10, "Please choose a password of at least 10 characters.")),
});

/** A new account, or another password for an existing one. */
function AccountForm({ accounts, confirmed, onChanged }: Props) {
  const { busy, field, submit, reset } = useActionForm(schema, { username: "", password: "" }, onChanged);
  const knownAs = (username: string) => accounts.find((account) => account.username.toLowerCase() === username.toLowerCase())?.username;
  const save = submit(
    async ({ username, password }) => {
      const known = knownAs(username);
      await confirmed(() => known ? changePassword(known, password) : addAccount(username, password));
      reset();
    },
    ({ username }) => knownAs(username)
      ? { title: "Password Changed", message: `${knownAs(username)} is signed out everywhere and signs in with the new password.` }
      : { title: "Account Added", message: `${username} can now sign in.` },
    "The account could not be saved. Please try again.",
  );
  return (
    <form className="account-form" aria-labelledby="account-form-title" onSubmit={save} noValidate>
      <h3 id="account-form-title">Add an account, or change an account’s password</h3>
      <TextField label="Name" hint="2 to 40 letters, digits, dots, hyphens or underscores" autoCapitalize="none" spellCheck={false} {...field("username")} />
      <TextField label="Password" hint="At least 10 characters" type="password" autoComplete="new-password" {...field("password")} />
      <Button type="submit" look="outline" busy={busy} busyLabel="Saving…">Save account</Button>
    </form>
  );
}

const browsers = [["Edg/", "Edge"], ["EdgA/", "Edge"], ["EdgiOS/", "Edge"], ["OPR/", "Opera"], ["Firefox/", "Firefox"], ["FxiOS/", "Firefox"], ["CriOS/", "Chrome"], ["HeadlessChrome/", "Chrome"], ["Chrome/", "Chrome"], ["Safari/", "Safari"], ["curl/", "curl"]] as const;
const systems = [["iPhone", "iPhone"], ["iPad", "iPad"], ["Android", "Android"], ["Windows", "Windows"], ["Mac OS X", "Mac"], ["Linux", "Linux"]] as const;

/** The browser and system that a `User-Agent` header names, such as "Firefox on Windows". A client can send any text there. */
export function browserOf(agent: string | null): string {
  if (!agent) return "Unknown client";
  const nameIn = (names: readonly (readonly [string, string])[]) => names.find(([mark]) => agent.includes(mark))?.[1];
  const [browser, system] = [nameIn(browsers), nameIn(systems)];
  if (!browser) return agent.slice(0, 60);
  return system ? `${browser} on ${system}` : browser;
}
