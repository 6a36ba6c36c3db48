import { useAddress } from "../shell/address";
import { AddressLink } from "../shell/address-link";
import { AdminTitle } from "../shell/admin-title";
import { Failure } from "../../kit/loaded";
import { Instant } from "../shell/instant";
import { sections } from "../shell/sections";
import { useMailTexts, type MailText } from "./api";
import { MailTextPage } from "./mail-text-page";

/** The texts of the standard emails; with `?email=` one of them. */
export function MailTextsSection() {
  const name = useAddress().get("email");
  return name ? <MailTextPage key={name} name={name} /> : <MailTextList />;
}

function MailTextList() {
  const { data, error, mutate } = useMailTexts();
  return (
    <>
      <header className="admin-head"><AdminTitle>{sections["mail-texts"]}</AdminTitle></header>
      <p className="measure">What the website says in its confirmations, decisions and receipts. An edited text is used for every email from then on, until you go back to the default.</p>
      {error !== undefined && <Failure error={error} onRetry={() => mutate()}>The texts could not be read.</Failure>}
      {error === undefined && !data && <p className="loading">Loading the texts...</p>}
      {error === undefined && data && <TextTable texts={data.items} />}
    </>
  );
}

function TextTable({ texts }: { texts: MailText[] }) {
  return (
    <table className="table">
      <caption className="hidden-text">Standard emails</caption>
      <thead><tr><th scope="col">Email</th><th scope="col">Text</th></tr></thead>
      <tbody>
        {texts.map(({ name, title, subject, isDefault, changedAt }) => (
          <tr key={name}>
            <th scope="row"><AddressLink to={{ email: name }} arrives className="row-link">{title}</AddressLink><span className="soft">{subject}</span></th>
            <td>{isDefault || !changedAt ? "Default" : <>Edited <Instant at={changedAt} /></>}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
