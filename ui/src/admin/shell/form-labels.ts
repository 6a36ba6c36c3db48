/** The labels of a form, as on its public page. */
export interface FieldLabels {
  name: string;
  label: string;
  type: string;
  options?: { value: string; label: string }[];
  /** The field with the category whose subcategories are its options. */
  of?: string;
  /** The form asks for the field only from this answer to another one on. */
  requiredFrom?: { field: string; atLeast: number };
}

export interface FormLabels {
  name: string;
  sections: { title: string; fields: FieldLabels[] }[];
  /** The subcategories of each category, for the fields that have an `of`. */
  subcategories?: Record<string, string[]>;
}
