import type { AnchorHTMLAttributes, ReactNode } from "react";
import type { Kind } from "../lib/page";
import { useShell } from "../lib/shell-context";
import { buttonClass } from "./button-class";

interface SiteLinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "href"> {
  href: string;
  /** Loads a new document even where the navigator could show the page in this one. */
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
}

/** A link that looks like the button it acts as. It says so when the form that it leads to is closed, or opens soon. */
export function ActionLink({ look = "primary", className = "", children, ...rest }: ActionLinkProps) {
  const closed = useClosedLink(rest.href);
  return (
    <SiteLink className={buttonClass(look, closed ? `is-closed ${className}`.trim() : className)} {...rest}>
      <span>{children}</span>
      {closed && <span className="button-note">{closed}</span>}
    </SiteLink>
  );
}

/** What to say of the form that a link leads to, such as "Closed"; undefined if it is open. */
export function useClosedLink(href: string): string | undefined {
  return useShell().closedPaths[href.split("?")[0] ?? ""];
}

export function useClosed(form: Kind): boolean {
  return useShell().openings[form]?.open === false;
}
