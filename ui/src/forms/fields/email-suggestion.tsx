import { useMemo } from "react";
import { useFormContext, useWatch } from "react-hook-form";
import { suggestedEmail } from "../rules/suggested-email";

/** Asks about a common misspelling when the field loses the focus. It refuses nothing. */
export function EmailSuggestion({ name, inputId, isLeft }: { name: string; inputId: string; isLeft: boolean }) {
  const { setValue } = useFormContext();
  const typed = useWatch({ name }) as string | undefined;
  const meant = useMemo(() => isLeft && typed ? suggestedEmail(typed) : undefined, [isLeft, typed]);
  const take = () => {
    setValue(name, meant, { shouldDirty: true, shouldValidate: true });
    document.getElementById(inputId)?.focus();
  };
  return (
    <p className="field-suggestion" role="status">
      {meant && <button type="button" className="text-button" translate="no" onClick={take}>Did you mean {meant}?</button>}
    </p>
  );
}
