import type { ReactNode } from "react";
import { describedBy, FieldTexts } from "../../kit/field-frame";

interface Props {
  id: string;
  label: string;
  error?: string;
  children: ReactNode;
}

/** Checkboxes or radio buttons with a legend. A copy of the kit's `FieldGroup`: if the organiser's pages used that one, the bundler would put it into a chunk that the portal loads too. */
export function ChoiceGroup({ label, children, ...texts }: Props) {
  return (
    <fieldset className="field" data-invalid={texts.error ? true : undefined} aria-describedby={describedBy(texts)}>
      <legend className="field-label">{label}</legend><FieldTexts {...texts} />{children}
    </fieldset>
  );
}
