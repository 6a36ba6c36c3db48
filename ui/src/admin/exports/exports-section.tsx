import { Reports } from "../reports/reports";
import { AdminTitle } from "../shell/admin-title";
import { sections } from "../shell/sections";
import { Exports } from "./exports";

/** Files of the registrations, and reports by email; the overview has the same two parts. */
export function ExportsSection() {
  return (
    <>
      <header className="admin-head"><AdminTitle>{sections.exports}</AdminTitle></header>
      <section aria-labelledby="exports-title">
        <h2 id="exports-title">Exports</h2>
        <Exports />
      </section>
      <section className="admin-part" aria-labelledby="reports-title">
        <h2 id="reports-title">Reports by email</h2>
        <Reports />
      </section>
    </>
  );
}
