import { useId, useState, type FormEvent } from "react";
import { ApiError } from "../../lib/api-error";
import { request } from "../../lib/request";
import type { Confirmed } from "../shell/confirmed";
import { Instant } from "../shell/instant";
import { useAction } from "../shell/use-action";

export interface Account {
  username: string;
  createdAt: string;
  passwordChangedAt: string;
  lastSeenAt: string | null;
}

/** Organisers with a name of their own: added, given another password, removed. */
export function Accounts({ accounts, confirmed, onChanged }: { accounts: Account[] | undefined; confirmed: Confirmed; onChanged: () => unknown }) {
  const [removing, setRemoving] = useState<string>();
  const { busy, act } = useAction();
  const remove = (username: string) => act(
    async () => {
      await confirmed(() => request(`/api/admin/accounts/${username}`, { method: "DELETE" }));
      await onChanged();
    },
    { title: "Account Removed", message: `${username} cannot sign in any more.` },
    "The account is still there. Please try again.",
  );
  return (
    <section aria-labelledby="accounts-title">
      <h2 id="accounts-title">Accounts</h2>
      <p className="measure soft">Whoever signs in with a name is named in the history of a registration and in the audit log. The shared password goes on to work beside them.</p>
      {accounts && accounts.length > 0 && (
        <table className="admin-table">
          <caption className="hidden-text">Accounts</caption>
          <thead><tr><th scope="col">Name</th><th scope="col" className="roomy">Added</th><th scope="col">Last seen</th><th scope="col"><span className="hidden-text">Remove it</span></th></tr></thead>
          <tbody>
            {accounts.map(({ username, createdAt, lastSeenAt }) => (
              <tr key={username}>
                <th scope="row">{username}</th>
                <td className="roomy"><Instant at={createdAt} /></td>
                <td>{lastSeenAt ? <Instant at={lastSeenAt} /> : <span className="soft">Not signed in</span>}</td>
                <td>
                  {removing === username
                    ? <button type="button" className="text-button" aria-disabled={busy} onClick={() => remove(username)}>Really remove {username}</button>
                    : <button type="button" className="text-button" onClick={() => setRemoving(username)}>Remove<span className="hidden-text"> {username}</span></button>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {accounts?.length === 0 && <p className="empty">Nobody has an account yet: everybody uses the shared password.</p>}
      <AccountForm known={accounts ?? []} confirmed={confirmed} onChanged={onChanged} />
    </section>
  );
}

/** A new account, or another password for one that is there. */
function AccountForm({ known, confirmed, onChanged }: { known: Account[]; confirmed: Confirmed; onChanged: () => unknown }) {
  const id = useId();
  const { busy, act } = useAction();
  const [errors, setErrors] = useState<Record<string, string>>({});
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const values = new FormData(form);
    const username = String(values.get("username") ?? "").trim();
    const password = String(values.get("password") ?? "");
    const account = known.find((one) => one.username.toLowerCase() === username.toLowerCase());
    setErrors({});
    void act(
      async () => {
        try {
          await confirmed(() => account
            ? request(`/api/admin/accounts/${account.username}`, { method: "PATCH", body: { password } })
            : request("/api/admin/accounts", { method: "POST", body: { username, password } }));
        } catch (error) {
          if (error instanceof ApiError && error.problem.errors) setErrors(error.problem.errors);
          throw error;
        }
        form.reset();
        await onChanged();
      },
      account
        ? { title: "Password Changed", message: `${account.username} is signed out everywhere and signs in with the new one.` }
        : { title: "Account Added", message: `${username} can sign in now.` },
      "The account was not saved. Please try again.",
    );
  };
  return (
    <form className="account-form" aria-label="Add an account or change its password" onSubmit={submit}>
      {(["username", "password"] as const).map((name) => (
        <div key={name}>
          <label className="field-label" htmlFor={`${id}-${name}`}>{name === "username" ? "Name" : "Password"}</label>
          <input
            id={`${id}-${name}`} name={name} className="input" type={name === "username" ? "text" : "password"} required autoCapitalize="none" spellCheck={false}
            autoComplete={name === "username" ? "off" : "new-password"} aria-invalid={errors[name] ? true : undefined} aria-describedby={`${id}-${name}-error`}
          />
          <p id={`${id}-${name}-error`} className="field-error">{errors[name]}</p>
        </div>
      ))}
      <button type="submit" className="button button-outline admin-button" aria-disabled={busy}>{busy ? "Saving..." : "Save account"}</button>
    </form>
  );
}
