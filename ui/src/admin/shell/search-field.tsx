import { useEffect, useRef, type FormEvent } from "react";
import { TextField } from "../../kit/field";

/** After so many ms without a key, the list is searched. */
const searchDelay = 250;

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
