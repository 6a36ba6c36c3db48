import { useEffect, useId, useRef, useState, type KeyboardEvent } from "react";
import { SiteLink, useClosedLink } from "../kit/site-link";
import { Icon } from "../kit/icon";
import { formLinks } from "./pages";

/** The 'Apply / Forms' dropdown: closes on an outside click, on choosing, on Escape and when the focus leaves. */
export function FormsMenu() {
  const [open, setOpen] = useState(false);
  const area = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const id = useId();

  useEffect(() => {
    if (!open) return;
    const closeOutside = (event: PointerEvent) => {
      if (!area.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener("pointerdown", closeOutside);
    return () => document.removeEventListener("pointerdown", closeOutside);
  }, [open]);

  const links = () => [...(list.current?.querySelectorAll("a") ?? [])];
  const focusAt = (index: number) => {
    const all = links();
    all.at(index % all.length)?.focus();
  };
  const openAt = (index: number) => {
    setOpen(true);
    requestAnimationFrame(() => focusAt(index));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const current = links().indexOf(document.activeElement as HTMLAnchorElement);
    const moves: Record<string, () => void> = {
      Escape: () => {
        setOpen(false);
        button.current?.focus();
      },
      ArrowDown: () => openAt(current + 1),
      ArrowUp: () => openAt(current < 0 ? -1 : current - 1),
      Home: () => focusAt(0),
      End: () => focusAt(-1),
    };
    const move = moves[event.key];
    if (!move || (!open && !event.key.startsWith("Arrow"))) return;
    event.preventDefault();
    move();
  };

  return (
    // The keys belong to the group as a whole; each thing in it that can be pressed is a button or a link.
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className="forms-menu"
      ref={area}
      onKeyDown={onKeyDown}
      onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && event.relatedTarget && setOpen(false)}
    >
      <button ref={button} type="button" className="forms-menu-button" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
        Apply / Forms <ChevronIcon />
      </button>
      <ul ref={list} id={id} className={open ? "forms-menu-list is-open" : "forms-menu-list"}>
        {formLinks.map(({ href, label }) => (
          <li key={href}>
            <SiteLink href={href} onClick={() => setOpen(false)}>
              {label} <ClosedMark href={href} />
            </SiteLink>
          </li>
        ))}
      </ul>
    </div>
  );
}

export function ClosedMark({ href }: { href: string }) {
  return useClosedLink(href) ? <span className="closed-mark">Closed</span> : null;
}

function ChevronIcon() {
  return <Icon path="M6 9.5l6 6 6-6" />;
}

export function ChatIcon() {
  return <Icon path="M4 19.5l1.2-3.7a7.8 7.8 0 1 1 3 2.8zM8.8 11.2q3.2 3.4 6.4 0M9.6 13.2l-.7 1.2M12 13.9v1.5M14.4 13.2l.7 1.2" />;
}
