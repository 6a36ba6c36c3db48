import { useEffect, useState } from "react";
import { useFormContext, useWatch } from "react-hook-form";

/** Asks about a common misspelling when the field loses the focus. It refuses nothing. */
export function EmailSuggestion({ name, inputId, isLeft }: { name: string; inputId: string; isLeft: boolean }) {
  const { setValue } = useFormContext();
  const typed = useWatch({ name }) as string | undefined;
  const [suggestion, setSuggestion] = useState<{ typed: string; meant: string | undefined }>();
  useEffect(() => {
    if (!isLeft || !typed) return;
    // The checker comes with its first use. Without it nothing is suggested.
    import("../rules/suggested-email").then(({ suggestedEmail }) => setSuggestion({ typed, meant: suggestedEmail(typed) }), () => {});
  }, [isLeft, typed]);
  const meant = isLeft && suggestion?.typed === typed ? suggestion?.meant : undefined;
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
