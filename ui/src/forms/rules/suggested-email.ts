import { run } from "@zootools/email-spell-checker";

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
