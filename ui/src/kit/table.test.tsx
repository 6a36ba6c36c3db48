import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { Table, type Column } from "./table";

interface Person {
  id: number;
  name: string;
}

const columns: Column<Person>[] = [
  { name: "name", label: "Name", sorted: "ascending", cell: ({ name }) => name },
  { name: "id", label: "Number", from: "wide", cell: ({ id }) => id },
  { name: "remove", label: "Remove", hideLabel: true, cell: () => "x" },
];

it("has a caption, headers of columns and rows, and the widths from which a column is shown", () => {
  const html = renderToStaticMarkup(<Table caption="People" columns={columns} rows={[{ id: 7, name: "Ada" }]} rowKey={({ id }) => id} />);
  expect(html).toContain('<caption class="hidden-text">People</caption>');
  expect(html).toContain('<th scope="col" aria-sort="ascending">Name</th><th scope="col" class="wide-only">Number</th><th scope="col"><span class="hidden-text">Remove</span></th>');
  expect(html).toContain('<tr><th scope="row">Ada</th><td class="wide-only">7</td><td>x</td></tr>');
});

it("keeps the headers of a headless table for screen readers, and marks new and stale rows", () => {
  const html = renderToStaticMarkup(<Table caption="People" headless stale columns={columns} rows={[{ id: 7, name: "Ada" }]} rowKey={({ id }) => id} isNew={() => true} />);
  expect(html).toContain('<thead class="table-headless"><tr><th scope="col" aria-sort="ascending"><span class="hidden-text">Name</span></th>');
  expect(html).toContain('data-stale="true"');
  expect(html).toContain('<tr data-new="true">');
});
