import { Link } from "wouter";
import { Table } from "../../kit/table";
import { sectionPath } from "../shell/sections";
import type { Detail, Result } from "./api";
import { ordinal } from "../../portal/print/score-words";
import { signed } from "./words";

/** The sealed results. */
export function Results({ detail: { results } }: { detail: Detail }) {
  if (!results) return null;
  return (
    <section aria-labelledby="results-title">
      <h2 id="results-title">Results</h2>
      <Table
        caption="Results" rows={results} rowKey={({ code }) => code} figures
        columns={[
          {
            name: "nomination", label: "Nomination",
            cell: ({ code, id, name, businessName, sentence }) => <><Link href={`${sectionPath("nominations")}?id=${id}`}>{name}</Link><span className="row-email">{code}{businessName && `, ${businessName}`}</span>{sentence && <span className="row-email">{sentence}</span>}</>,
          },
          { name: "place", label: "Place", cell: ({ place, state }) => place === null ? (state === "disqualified" ? "Disqualified" : "–") : <strong>{ordinal(place)}</strong> },
          { name: "total", label: "Before penalties", from: "wide", cell: ({ total }) => total },
          { name: "less", label: "Penalties, adjustment", from: "wide", cell: (result) => deductions(result) },
          { name: "points", label: "Points", cell: ({ points }) => <strong>{points}</strong> },
        ]}
      />
    </section>
  );
}

function deductions({ penalties, adjustment }: Result): string {
  const parts = [...(Number(penalties) === 0 ? [] : [`\u2212${penalties}`]), ...(adjustment === null ? [] : [signed(adjustment)])];
  return parts.join(", ") || "–";
}
