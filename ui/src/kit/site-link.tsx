import type { AnchorHTMLAttributes, ReactNode } from "react";
import type { Kind } from "../lib/answer-types";
import { useShell } from "../lib/shell-context";
import { buttonClass } from "./button";

interface SiteLinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "href"> {
  href: string;
  /** Always loads a new document, even if the page could be shown in this one. */
  fullLoad?: boolean;
  children: ReactNode;
}

/** A link to anywhere. `app/navigator.ts` decides how it is followed. */
export function SiteLink({ href, fullLoad = false, children, ...rest }: SiteLinkProps) {
  return <a href={href} data-load={fullLoad ? "full" : undefined} {...rest}>{children}</a>;
}

interface OutsideLinkProps {
  href: string;
  className?: string;
  children: ReactNode;
}

/** A link to another site that opens in a new tab. Screen readers hear that, because they cannot see the arrow. */
export function OutsideLink({ href, className, children }: OutsideLinkProps) {
  return (
    <a href={href} className={className} target="_blank" rel="noopener noreferrer">
      {children}
      <span className="hidden-text"> (opens in a new tab)</span>
    </a>
  );
}

interface ActionLinkProps extends SiteLinkProps {
  look?: "primary" | "outline" | "plain";
}

/** A link that looks like the button it acts as. When the organiser has closed the form that it leads to, it says so. */
export function ActionLink({ look = "primary", className = "", children, ...rest }: ActionLinkProps) {
  const closed = useClosedLink(rest.href);
  return (
    <SiteLink className={buttonClass(look, closed ? `is-closed ${className}`.trim() : className)} {...rest}>
      <span>{children}</span>
      {closed && <span className="button-note">Closed</span>}
    </SiteLink>
  );
}

/** Whether a link leads to a form that the organiser has closed. */
export function useClosedLink(href: string): boolean {
  return useShell().closedPaths.includes(href.split("?")[0] ?? "");
}

export function useClosed(form: Kind): boolean {
  return useShell().openings[form]?.open === false;
}

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
