/** The value that is stored under a name; undefined if there is none or the storage cannot be used (private window). */
export function read<Kept>(storage: () => Storage, name: string): Kept | undefined {
  try {
    return (JSON.parse(storage().getItem(name) ?? "null") as Kept | null) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Stores a value; undefined removes it. Returns false if the storage cannot be used (private window, full disk). */
export function write(storage: () => Storage, name: string, value: unknown): boolean {
  try {
    if (value === undefined) storage().removeItem(name);
    else storage().setItem(name, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}
