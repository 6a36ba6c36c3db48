import type { Quote } from "../../lib/content-types";

export function Quotation({ text, name, role }: Quote) {
  return (
    <figure className="section frame quotation">
      <blockquote>{text}</blockquote>
      <figcaption><strong>{name}</strong>, {role}</figcaption>
    </figure>
  );
}
