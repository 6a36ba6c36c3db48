import { ActionLink, useClosed } from "./site-link";

interface WaitlistLinkProps {
  href?: string;
  look?: "primary" | "plain";
  /** Offered in place of something that is closed; a closed list is no way out and is not offered. */
  wayOut?: boolean;
  children: string;
}

/** The way to the waitlist; when the organiser has closed it, the link says so. */
export function WaitlistLink({ href = "/#waitlist", look = "plain", wayOut = false, children }: WaitlistLinkProps) {
  const closed = useClosed("waitlist-signups");
  if (closed && wayOut) return null;
  return <ActionLink href={href} look={look}>{children}</ActionLink>;
}
