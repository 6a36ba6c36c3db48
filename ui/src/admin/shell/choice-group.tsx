import type { ReactNode } from "react";
import { describedBy, FieldTexts } from "../../kit/field-frame";

interface Props {
  id: string;
  label: string;
  error?: string;
  children: ReactNode;
}

/** Checkboxes or radio buttons with a legend. It is not the kit's `FieldGroup`, which the portal would then download with the fields that both share. */
export function ChoiceGroup({ label, children, ...texts }: Props) {
  return (
    <fieldset className="field" data-invalid={texts.error ? true : undefined} aria-describedby={describedBy(texts)}>
      <legend className="field-label">{label}</legend><FieldTexts {...texts} />{children}
    </fieldset>
  );
}
