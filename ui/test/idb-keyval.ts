/** What the browser's database keeps. */
export const kept = new Map<string, unknown>();

/** Set to true, every use is refused, as in some private windows. */
export const storage = { isRefused: false };

export const createStore = () => {
  if (storage.isRefused) throw new DOMException("The operation is insecure.", "SecurityError");
  return {};
};
export const set = async (key: string, value: unknown) => void kept.set(key, value);
export const del = async (key: string) => void kept.delete(key);
export const entries = async () => [...kept];
