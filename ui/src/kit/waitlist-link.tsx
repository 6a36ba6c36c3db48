import { ActionLink, useClosed } from "./site-link";

interface WaitlistLinkProps {
  href?: string;
  look?: "primary" | "outline" | "plain";
  /** For a link that replaces something closed: a closed waitlist is no alternative. */
  hideIfClosed?: boolean;
  children: string;
}

/** A link to the waitlist. If the waitlist is closed, the link says so. */
export function WaitlistLink({ href = "/#waitlist", look = "plain", hideIfClosed = false, children }: WaitlistLinkProps) {
  const closed = useClosed("waitlist-signups");
  if (closed && hideIfClosed) return null;
  return <ActionLink href={href} look={look}>{children}</ActionLink>;
}
