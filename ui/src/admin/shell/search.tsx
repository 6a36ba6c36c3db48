import { useEffect, useId, useRef, useState, type FormEvent } from "react";
import { Link } from "wouter";
import { Failure } from "../../kit/loaded";
import { TextField } from "../../kit/field";
import { mostFound, useSearchResults } from "./api";
import { Instant } from "./admin-context";
import { kindLabels, recordPath } from "./kinds";
import { StatusMark } from "./status-mark";
import { EmailLine } from "./values";

/** After so many ms without a key, the search starts. */
const searchDelay = 250;
/** One character finds nearly everybody. */
const shortestSearch = 2;

/** Finds registrations of every kind, from every organiser's page; "/" focuses it. */
export function Find() {
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [text, setText] = useState("");
  const [open, setOpen] = useState(false);
  const shown = open && text.length >= shortestSearch;

  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    const whole = form.current;
    if (!whole) return undefined;
    const close = () => setOpen(false);
    const press = (event: KeyboardEvent) => {
      const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
      if (event.key === "/" && plain && !takesText(event.target)) {
        event.preventDefault();
        input.current?.focus();
        input.current?.select();
      }
    };
    const move = (event: KeyboardEvent) => {
      if (!whole.querySelector(".find-results")) return;
      if (event.key === "Escape") {
        event.preventDefault();
        input.current?.focus();
        close();
      }
      const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
      if (step === 0) return;
      event.preventDefault();
      const links = [...whole.querySelectorAll<HTMLElement>("a")];
      const next = links.findIndex((link) => link === document.activeElement) + step;
      (next < 0 ? input.current : links[Math.min(next, links.length - 1)])?.focus();
    };
    const leave = ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget instanceof Node && !whole.contains(relatedTarget)) close();
    };
    const pressElsewhere = ({ target }: PointerEvent) => {
      if (target instanceof Node && !whole.contains(target)) close();
    };
    addEventListener("keydown", press);
    addEventListener("pointerdown", pressElsewhere);
    whole.addEventListener("keydown", move);
    whole.addEventListener("focusout", leave);
    return () => {
      removeEventListener("keydown", press);
      removeEventListener("pointerdown", pressElsewhere);
      whole.removeEventListener("keydown", move);
      whole.removeEventListener("focusout", leave);
    };
  }, []);

  const search = (delay: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      setText(input.current?.value.trim() ?? "");
      setOpen(true);
    }, delay);
  };
  return (
    <form ref={form} role="search" aria-label="All registrations" className="find" onSubmit={(event) => { event.preventDefault(); search(0); }}>
      <label className="hidden-text" htmlFor={id}>Find a person by name, business, email, phone, @handle or category</label>
      <input
        ref={input} id={id} type="search" className="input" placeholder="Find a person: name, phone, @handle" aria-keyshortcuts="/"
        autoComplete="off" autoCapitalize="off" spellCheck={false} maxLength={200} onChange={() => search(searchDelay)} onFocus={() => setOpen(true)}
      />
      <kbd aria-hidden="true">/</kbd>
      {shown && <Results text={text} onGo={() => setOpen(false)} />}
    </form>
  );
}

function Results({ text, onGo }: { text: string; onGo: () => void }) {
  const { data, error, isLoading, mutate } = useSearchResults(text);
  const items = data?.items ?? [];
  return (
    <div className="find-results" data-stale={isLoading || undefined}>
      {error !== undefined && <Failure error={error} onRetry={() => mutate()}>The search did not get an answer.</Failure>}
      <p role="status" className="find-count figures">{error === undefined && (data && !isLoading ? foundText(items.length, text) : "Searching…")}</p>
      <ul>
        {error === undefined && items.map(({ kind, id, name, business, email, status, paymentStatus, createdAt }) => (
          <li key={`${kind} ${id}`}>
            <Link href={recordPath(kind, id)} onClick={onGo}>
              <span className="find-who">
                <bdi className="find-name">{name}</bdi>
                {business && <bdi className="find-line">{business}</bdi>}
                <EmailLine email={email} />
              </span>
              <span className="find-what">
                <span>{kindLabels[kind].short}</span>
                <StatusMark status={status === "set_aside" ? status : paymentStatus ?? status} kind={kind} />
                <Instant at={createdAt} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

export function foundText(count: number, text: string): string {
  if (count === 0) return `Nobody found for "${text}".`;
  return count < mostFound ? `${count} found` : `The newest ${mostFound}. Type more to narrow it.`;
}

/** Whether a key pressed here is meant to be written. */
function takesText(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches("input, select, textarea"));
}

interface Props {
  label: string;
  search: string;
  onSearch: (search: string) => void;
}

/** Searches a list a moment after the last key, or at once on Enter. The search is in the address. */
export function SearchField({ label, search, onSearch }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  useEffect(() => () => clearTimeout(timer.current), []);
  // The address also changes by the back button and by "Show all".
  useEffect(() => {
    if (input.current && document.activeElement !== input.current) input.current.value = search;
  }, [search]);

  const searchAfter = (delay: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => onSearch(input.current?.value.trim() ?? ""), delay);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    searchAfter(0);
  };
  return (
    <form role="search" aria-label="This list" onSubmit={submit}>
      <TextField ref={input} label={label} type="search" defaultValue={search} spellCheck={false} maxLength={200} onChange={() => searchAfter(searchDelay)} />
    </form>
  );
}
