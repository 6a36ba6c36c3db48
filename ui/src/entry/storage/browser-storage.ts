/** What the browser keeps under a name; nothing where it keeps nothing (private windows, full disks). */
export function read<Kept>(storage: () => Storage, name: string): Kept | undefined {
  try {
    return (JSON.parse(storage().getItem(name) ?? "null") as Kept | null) ?? undefined;
  } catch {
    return undefined;
  }
}

export function write(storage: () => Storage, name: string, value: unknown): void {
  try {
    if (value === undefined) storage().removeItem(name);
    else storage().setItem(name, JSON.stringify(value));
  } catch {
    // Without storage there is nothing to come back to after a reload; the server keeps the entry.
  }
}
