import { dollars } from "../../lib/money";
import { useAdmin } from "../shell/admin-context";
import type { Tallies } from "./tallies";

/** Entries and revenue by primary category, as a table whose bars are part of it. */
export function ByCategory({ categories }: { categories: Tallies["categories"] }) {
  const { categoryNames } = useAdmin();
  if (categories.length === 0) return null;
  const most = Math.max(...categories.map(({ entries }) => entries));
  const richest = Math.max(1, ...categories.map(({ revenue }) => revenue));
  return (
    <section className="by-category" aria-labelledby="by-category-title">
      <h2 id="by-category-title">Entries by category</h2>
      <p className="soft">Entries in this period, by first category.</p>
      <table className="admin-table figures">
        <thead><tr><th scope="col">Category</th><th scope="col">Entries</th><th scope="col">Paid</th><th scope="col">Revenue</th></tr></thead>
        <tbody>
          {categories.map(({ category, entries, paid, revenue }) => (
            <tr key={category}>
              <th scope="row">{categoryNames[category] ?? category}</th>
              <td><Bar share={entries / most} />{entries}</td>
              <td>{paid}</td>
              <td><Bar share={Math.max(0, revenue) / richest} />{dollars(revenue)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** The policy forbids inline styles; an SVG draws the length. */
function Bar({ share }: { share: number }) {
  return (
    <svg className="share" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
      {share > 0 && <path d={`M0 0L${Math.max(2, share * 100)} 3L0 6z`} />}
    </svg>
  );
}
