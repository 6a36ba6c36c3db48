/** A browser's storage that holds these values. */
export const storageOf = (values: () => Map<string, string>) => ({
  getItem: (key: string) => values().get(key) ?? null,
  setItem: (key: string, value: string) => void values().set(key, value),
  removeItem: (key: string) => void values().delete(key),
});
