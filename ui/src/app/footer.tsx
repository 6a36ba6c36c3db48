import { OutsideLink, SiteLink } from "../kit/site-link";
import { useShell } from "../lib/shell-context";
import { ClosedMark } from "./forms-menu";
import logos from "../brand/pictures/logo.svg";
import { formLinks, type NavigationLink } from "./pages";

const legalLinks: NavigationLink[] = [
  { href: "/privacy", label: "Privacy Policy" },
  { href: "/terms", label: "Terms of Service" },
  { href: "/refund-policy", label: "Refund Policy" },
];

/** What is in the footer of every page; the browser has no code for it. */
export function Footer({ hasPortal }: { hasPortal: boolean }) {
  const shell = useShell();
  return (
    <div className="frame">
      <div className="footer-grid">
        <div>
          <span className="logo"><img src={`${logos}#light`} alt="" width={58} height={40} loading="lazy" /></span>
          <p className="title">{shell.name}</p>
          <p className="soft">{shell.dates}<br />{shell.city}</p>
        </div>
        <nav aria-label="The event">
          <h2 className="footer-title">The event</h2>
          <ul>
            <li><SiteLink href="/schedule">Schedule</SiteLink></li>
            <li><SiteLink href="/competition">Competition Rules</SiteLink></li>
            <li><SiteLink href="/venue">Venue</SiteLink></li>
            <li><SiteLink href="/faq">FAQ</SiteLink></li>
            <li><a href="/event.ics">Add to calendar</a></li>
          </ul>
        </nav>
        <nav aria-label="Take part">
          <h2 className="footer-title">Take part</h2>
          <ul>
            {formLinks.map(({ href, label }) => (
              <li key={href}><SiteLink href={href}>{label} <ClosedMark href={href} /></SiteLink></li>
            ))}
            {hasPortal && <li><SiteLink href="/artist-portal">Artist Portal</SiteLink></li>}
          </ul>
        </nav>
        <nav aria-label="Legal">
          <h2 className="footer-title">Legal</h2>
          <ul>
            {legalLinks.map(({ href, label }) => <li key={href}><SiteLink href={href}>{label}</SiteLink></li>)}
          </ul>
        </nav>
        <nav aria-label="Get in touch">
          <h2 className="footer-title">Get in touch</h2>
          <ul>
            <li><SiteLink href="/contact">Contact</SiteLink></li>
            {shell.socials.map(({ href, label }) => <li key={href}><OutsideLink href={href}>{label}</OutsideLink></li>)}
          </ul>
        </nav>
      </div>
      <p className="footer-end soft">{shell.footnote}</p>
    </div>
  );
}
