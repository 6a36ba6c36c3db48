import type { Item } from "../../lib/content-types";

export function ItemList({ items, grid = false }: { items: Item[]; grid?: boolean }) {
  return (
    <dl className={grid ? "item-grid" : "item-list"}>
      {items.map(({ title, text }) => <div key={title}><dt className="title">{title}</dt><dd>{text}</dd></div>)}
    </dl>
  );
}
