/** The value that is stored under a name; undefined if there is none or the storage cannot be used (private window). */
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
    // The storage cannot be used (private window, full disk): after a reload this browser no longer knows its attempt and its payments. The server does.
  }
}
