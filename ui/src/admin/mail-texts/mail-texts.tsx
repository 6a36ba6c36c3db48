import { Loaded } from "../../kit/loaded";
import { Table } from "../../kit/table";
import { useAddress } from "../shell/address";
import { AddressLink } from "../shell/address-link";
import { AdminTitle } from "../shell/admin-title";
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
  const texts = useMailTexts();
  return (
    <>
      <header className="admin-head"><AdminTitle>{sections["mail-texts"]}</AdminTitle></header>
      <p className="measure">What the website says in its confirmations, decisions and receipts. An edited text is used for every email from then on, until you go back to the default.</p>
      <Loaded of={texts} loading="Loading the texts…" failed="The texts could not be loaded.">
        {({ items }) => <TextTable texts={items} />}
      </Loaded>
    </>
  );
}

function TextTable({ texts }: { texts: MailText[] }) {
  return (
    <Table
      caption="Standard emails" rows={texts} rowKey={({ name }) => name}
      columns={[
        { name: "email", label: "Email", cell: ({ name, title, subject }) => <><AddressLink to={{ email: name }} arrives className="row-link">{title}</AddressLink><span className="row-email">{subject}</span></> },
        { name: "text", label: "Text", cell: ({ isDefault, changedAt }) => (isDefault || !changedAt ? "Default" : <>Edited <Instant at={changedAt} /></>) },
      ]}
    />
  );
}
