import { Link } from "wouter";
import type { JudgedCategory } from "../../lib/answer-types";
import { Loaded } from "../../kit/loaded";
import { Table } from "../../kit/table";
import { useAddress, AddressLink } from "../shell/address";
import { AdminTitle } from "../shell/admin-title";
import { sections } from "../shell/sections";
import { CategoryPage } from "./category-page";
import { CeremonyPage } from "./ceremony-page";
import { CertificatesPage } from "./certificates-page";
import { PaperPage } from "./paper-page";
import { useCategories } from "./api";
import { Judges } from "./judges";
import { StateMark, progressText } from "./state-mark";

/** All categories and judges; with `?of=` one category, with `?show=` its paper sheets, the ceremony or the certificates. */
export function JudgingSection() {
  const params = useAddress();
  const path = params.get("of");
  const show = params.get("show");
  if (show === "certificates") return <CertificatesPage of={path} />;
  if (show === "ceremony") return <CeremonyPage />;
  if (show === "paper" && path) return <PaperPage key={path} path={path} />;
  return path ? <CategoryPage key={path} path={path} /> : <Start />;
}

/** How far each category is, and who judges. */
function Start() {
  const read = useCategories();
  return (
    <>
      <header className="admin-head">
        <AdminTitle>{sections.judging}</AdminTitle>
        <p><AddressLink to={{ show: "ceremony" }} focusTitle>Ceremony</AddressLink> · <AddressLink to={{ show: "certificates" }} focusTitle>Certificates</AddressLink></p>
      </header>
      <p className="measure">Invite the judges, give each category its panel, and seal it when every sheet is confirmed. Nothing is public before you publish.</p>
      <Loaded
        of={read} loading="Loading the categories…" failed="The categories could not be loaded." keepsData
        isEmpty={({ items }) => items.length === 0} empty={<p className="empty">There are no rubrics yet. <Link href="/export-data/site?part=categories">Add them in the website editor</Link>.</p>}
      >
        {({ items }) => <CategoryTable categories={items} />}
      </Loaded>
      <Judges />
    </>
  );
}

function CategoryTable({ categories }: { categories: JudgedCategory[] }) {
  return (
    <Table
      caption="Categories" rows={categories} rowKey={({ path }) => path} figures
      columns={[
        { name: "category", label: "Category", cell: ({ label, path }) => <AddressLink to={{ of: path }} focusTitle className="row-link category-link">{label}</AddressLink> },
        { name: "nominations", label: "Nominations", from: "roomy", cell: ({ nominations, notReady }) => <>{nominations}{notReady > 0 && <span className="row-email">{notReady} not ready</span>}</> },
        { name: "judges", label: "Judges", from: "wide", cell: ({ judges }) => judges },
        { name: "state", label: "State", cell: (category) => <><StateMark state={category.state} /><span className="row-email">{progressText(category)}</span></> },
      ]}
    />
  );
}
