import type { Content } from "../../lib/content-types";
import type { Kind } from "../../lib/page";

/** What a form asks, in the words that the person who filled it in has read. */
export interface FieldLabels {
  name: string;
  label: string;
  type: string;
  options?: { value: string; label: string }[];
}

export interface FormLabels {
  name: string;
  sections: { title: string; fields: FieldLabels[] }[];
}

/** The labels travel in the page's data: in the browser nobody asks, and the rules of seven forms stay out of its script. */
export function formLabels(_kind: Kind, _content: Pick<Content, "categories" | "pricing">): FormLabels {
  throw new Error("form labels are made where the page is rendered");
}
