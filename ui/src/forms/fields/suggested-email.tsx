import { useMemo } from "react";
import { useFormContext, useWatch } from "react-hook-form";
import { run } from "@zootools/email-spell-checker";

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

/** Common email providers. An address at one of them is never questioned. */
const domains = [
  "gmail.com", "yahoo.com", "hotmail.com", "outlook.com", "icloud.com", "aol.com", "live.com", "msn.com", "me.com", "mac.com",
  "comcast.net", "verizon.net", "att.net", "optonline.net", "ymail.com", "proton.me", "protonmail.com", "gmx.com", "mail.com", "email.com",
];

/** The corrected address for a common misspelling, or undefined. Top-level domains are never corrected: "salon.nyc" is valid. */
export function suggestedEmail(typed: string): string | undefined {
  const email = typed.trim();
  const suggestion = run({ email, domains, topLevelDomains: [], secondLevelDomains: [] });
  // Only the domain is corrected; the part before the @ stays as typed.
  return suggestion && `${email.slice(0, email.lastIndexOf("@"))}@${suggestion.domain}`;
}
