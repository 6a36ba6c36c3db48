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
