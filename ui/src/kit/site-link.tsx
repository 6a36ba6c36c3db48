import type { AnchorHTMLAttributes, ReactNode } from "react";
import { Link } from "wouter";
import type { Kind } from "../lib/page";
import { useShell } from "../lib/shell-context";
import { buttonClass } from "./button-class";

interface SiteLinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "href"> {
  href: string;
  /** Leaves the router aside and loads a new document. */
  fullLoad?: boolean;
  children: ReactNode;
}

/** A link to anywhere: through the router within the site, else plain. */
export function SiteLink({ href, fullLoad = false, children, ...rest }: SiteLinkProps) {
  const routed = !fullLoad && /^\/(?!\/)/.test(href) && !/^\/(enter-competition|export-data|event\.ics)/.test(href);
  if (routed) return <Link href={href} {...rest}>{children}</Link>;
  return <a href={href} {...rest}>{children}</a>;
}

interface OutsideLinkProps {
  href: string;
  className?: string;
  children: ReactNode;
}

/** A link to another site, in a new tab, said so to those who cannot see the arrow. */
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
  /** The form that the link leads to; when the organiser has closed it, the link says so. */
  form?: Kind;
}

/** A link that looks like the button it acts as. */
export function ActionLink({ look = "primary", form, className = "", children, ...rest }: ActionLinkProps) {
  const closed = useClosed(form);
  return (
    <SiteLink className={buttonClass(look, closed ? `is-closed ${className}`.trim() : className)} {...rest}>
      <span>{children}</span>
      {closed && <span className="button-note">Closed</span>}
    </SiteLink>
  );
}

export function useClosed(form: Kind | undefined): boolean {
  const { openings } = useShell();
  return form !== undefined && openings[form]?.open === false;
}
