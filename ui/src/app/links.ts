import type { Kind } from "../lib/page";

interface NavigationLink {
  href: string;
  label: string;
}

export const mainLinks: readonly NavigationLink[] = [
  { href: "/", label: "Home" },
  { href: "/about", label: "About" },
  { href: "/competition", label: "Competition" },
  { href: "/speakers-judges", label: "Speakers & Judges" },
  { href: "/sponsors", label: "Sponsors" },
  { href: "/venue", label: "Venue" },
  { href: "/schedule", label: "Schedule" },
  { href: "/faq", label: "FAQ" },
];

export const formLinks: readonly (NavigationLink & { form: Kind })[] = [
  { href: "/apply-speaker", label: "Apply as Speaker", form: "speaker-applications" },
  { href: "/apply-judge", label: "Apply as Judge", form: "judge-applications" },
  { href: "/apply-sponsor", label: "Apply as Sponsor", form: "sponsor-applications" },
  { href: "/apply-professional-demo", label: "Professional Demo", form: "professional-demo-registrations" },
  { href: "/enter-competition", label: "Enter Competition", form: "competition-entries" },
];

export const legalLinks: readonly NavigationLink[] = [
  { href: "/privacy", label: "Privacy Policy" },
  { href: "/terms", label: "Terms of Service" },
  { href: "/refund-policy", label: "Refund Policy" },
  { href: "/contact", label: "Contact" },
];
