import { run } from "@zootools/email-spell-checker";
import { useFormContext, useWatch } from "react-hook-form";

/** Where most people here have their mail. An address at one of these is never doubted. */
const domains = [
  "gmail.com", "yahoo.com", "hotmail.com", "outlook.com", "icloud.com", "aol.com", "live.com", "msn.com", "me.com", "mac.com",
  "comcast.net", "verizon.net", "att.net", "optonline.net", "ymail.com", "proton.me", "protonmail.com", "gmx.com", "mail.com", "email.com",
];

/** The address that was probably meant, or nothing. Endings of other addresses are left alone: "salon.nyc" is right. */
export function suggestedEmail(typed: string): string | undefined {
  const email = typed.trim();
  const suggestion = run({ email, domains, topLevelDomains: [], secondLevelDomains: [] });
  // Only the domain is a guess; the name before it stays as it was typed.
  return suggestion && `${email.slice(0, email.lastIndexOf("@"))}@${suggestion.domain}`;
}

/** Asks about a common slip once the field is left; it refuses nothing. */
export function EmailSuggestion({ name, inputId, isLeft }: { name: string; inputId: string; isLeft: boolean }) {
  const { setValue } = useFormContext();
  const typed = useWatch({ name }) as string | undefined;
  const meant = isLeft && typed ? suggestedEmail(typed) : undefined;
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
