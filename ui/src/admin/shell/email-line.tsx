/** An address that is too long for its line breaks before its domain. */
export function EmailLine({ email }: { email: string }) {
  const at = email.lastIndexOf("@");
  return <span className="row-email">{email.slice(0, at)}<wbr />{email.slice(at)}</span>;
}
