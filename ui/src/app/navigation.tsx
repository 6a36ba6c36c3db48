import { useEffect, useId, useRef, useState } from "react";
import { useLocation } from "wouter";
import { useShell } from "../lib/shell-context";
import { ActionLink, OutsideLink, SiteLink } from "../kit/site-link";
import vectors from "../brand/pictures/logo.svg";
import { whenIdle } from "../lib/when";
import { ClosedMark, FormsMenu } from "./forms-menu";
import { formLinks, mainLinks } from "./pages";

/** The ARIA attributes of the bar while the phone's menu is open and the page behind it is inert. */
const modal = { role: "dialog", "aria-modal": true, "aria-label": "Site menu" };

/** On this page the bar shows the entry's step and total in place of the button, which would lead away from it. */
const entryPath = "/enter-competition";

/** Pages without the "Enter" button: their visitors are entrants, models or judges. */
const withoutEntry = /^\/(artist|release|judge|score)/;

export function Navigation() {
  const shell = useShell();
  const [path] = useLocation();
  const [open, setOpen] = useState(false);
  const toggle = useRef<HTMLButtonElement>(null);
  const id = useId();
  usePreloadedLogos();

  useEffect(() => {
    if (!open) return;
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      setOpen(false);
      toggle.current?.focus();
    };
    // The page behind the menu is out of reach until it closes; a window that has become wide has no such menu.
    const behind = [...document.querySelectorAll<HTMLElement>(".skip-link, main, footer, .chat-place")];
    const wide = matchMedia("(min-width: 78rem)");
    const close = () => setOpen(false);
    for (const element of behind) element.inert = true;
    wide.addEventListener("change", close);
    document.addEventListener("keydown", closeOnEscape);
    return () => {
      for (const element of behind) element.inert = false;
      wide.removeEventListener("change", close);
      document.removeEventListener("keydown", closeOnEscape);
    };
  }, [open]);

  const current = (href: string) => (href === path ? "page" : undefined);
  return (
    <header className={open ? "bar is-open" : "bar"}>
      <div {...(open ? modal : undefined)}>
        <div className="bar-inner">
          <SiteLink href="/" className="bar-brand" aria-label={`${shell.shortName}, home`} onClick={() => setOpen(false)}>
            <Logo />
            <span className="bar-name" aria-hidden="true">{shell.shortName}</span>
          </SiteLink>
          <nav className="bar-links" aria-label="Main">
            <ul>
              {mainLinks.map(({ href, label }) => (
                <li key={href}><SiteLink href={href} aria-current={current(href)}>{label}</SiteLink></li>
              ))}
            </ul>
            <FormsMenu />
          </nav>
          {!withoutEntry.test(path) && (path === entryPath && shell.offer ? <p id="bar-status" className="bar-status figures" /> : (
            <ActionLink href={entryPath} className="bar-enter">Enter{shell.offer && <span className="bar-price figures"> · {shell.offer.fee}</span>}</ActionLink>
          ))}
          <button ref={toggle} type="button" className="bar-toggle" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
            <span className="hidden-text">{open ? "Close menu" : "Open menu"}</span>
            <span className="bar-toggle-lines" aria-hidden="true" />
          </button>
        </div>
        {/* Without script, its summary opens it. */}
        <details className="drawer-fold" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>Menu</summary>
          <nav id={id} className="drawer" aria-label="Menu">
            <ul className="drawer-main">
              {mainLinks.map(({ href, label }) => (
                <li key={href}><SiteLink href={href} aria-current={current(href)} onClick={() => setOpen(false)}>{label}</SiteLink></li>
              ))}
            </ul>
            <p className="eyebrow">Apply / Forms</p>
            <ul className="drawer-forms">
              {formLinks.map(({ href, label }) => (
                <li key={href}><SiteLink href={href} aria-current={current(href)} onClick={() => setOpen(false)}>{label} <ClosedMark href={href} /></SiteLink></li>
              ))}
            </ul>
            {shell.chat && <p><OutsideLink href={shell.chat.href}>{shell.chat.label}</OutsideLink></p>}
          </nav>
        </details>
      </div>
    </header>
  );
}

const sources = {
  onLight: [`${vectors}#dark`, "/logo-dark.png"],
  onDark: [`${vectors}#light`, "/logo-light.png"],
} as const;

/** The mark: a placeholder until it is there, another source when the first fails, the word when both do. */
function Logo({ ground = "onLight" }: { ground?: keyof typeof sources }) {
  const [attempt, setAttempt] = useState(0);
  const [loaded, setLoaded] = useState(false);
  const image = useRef<HTMLImageElement>(null);

  // An image that came or failed before hydration has already fired its events.
  useEffect(() => {
    const element = image.current;
    if (!element?.complete) return;
    if (element.naturalWidth > 0) setLoaded(true);
    else setAttempt((current) => current + 1);
  }, [attempt]);

  const source = sources[ground][attempt];
  if (source === undefined) return <span className="logo-text">Logo</span>;
  return (
    <span className={loaded ? "logo" : "logo is-loading"}>
      <img ref={image} src={source} alt="" width={58} height={40} onLoad={() => setLoaded(true)} onError={() => setAttempt(attempt + 1)} />
    </span>
  );
}

/** Fetches all four logo images once the page has nothing better to do. */
function usePreloadedLogos(): void {
  useEffect(() => whenIdle(() => {
    for (const source of Object.values(sources).flat()) new Image().src = source;
  }), []);
}
