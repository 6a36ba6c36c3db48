import { Table } from "../../kit/table";
import { dollars } from "../../lib/money";
import { useAdmin } from "../shell/admin-context";
import { FoldedPart } from "../shell/folded-part";
import type { CategoryTally } from "./api";

/** Entries and revenue by first category, as a table whose bars are part of it. */
export function ByCategory({ categories }: { categories: CategoryTally[] }) {
  const { categoryNames } = useAdmin();
  if (categories.length === 0) return null;
  const mostEntries = Math.max(...categories.map(({ entries }) => entries));
  const mostRevenue = Math.max(1, ...categories.map(({ revenue }) => revenue));
  return (
    <FoldedPart title="Entries by category" className="by-category">
      <p className="soft">Entries in this period, by first category.</p>
      <Table
        caption="Entries by category" figures rows={categories} rowKey={({ category }) => category}
        columns={[
          { name: "category", label: "Category", cell: ({ category }) => categoryNames[category] ?? category },
          { name: "entries", label: "Entries", cell: ({ entries }) => <><Bar share={entries / mostEntries} />{entries}</> },
          { name: "paid", label: "Paid", cell: ({ paid }) => paid },
          { name: "revenue", label: "Revenue", cell: ({ revenue }) => <><Bar share={Math.max(0, revenue) / mostRevenue} />{dollars(revenue)}</> },
        ]}
      />
    </FoldedPart>
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
