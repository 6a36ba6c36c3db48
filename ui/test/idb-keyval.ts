/** What the browser's database keeps. */
export const kept = new Map<string, unknown>();

/** Set to true, every use is refused, as in some private windows. */
export const storage = { isRefused: false };

export const createStore = () => {
  if (storage.isRefused) throw new DOMException("The operation is insecure.", "SecurityError");
  return async (_: IDBTransactionMode, task: (store: object) => unknown) => {
    // As in a page that is left at once: what is not committed by itself is lost.
    const changes: (() => void)[] = [];
    return task({
      put: (value: unknown, key: string) => changes.push(() => kept.set(key, value)),
      delete: (key: string) => changes.push(() => kept.delete(key)),
      transaction: { commit: () => changes.forEach((change) => change()) },
    });
  };
};
export const promisifyRequest = async () => {};
export const set = async (key: string, value: unknown) => void kept.set(key, value);
export const del = async (key: string) => void kept.delete(key);
export const entries = async () => [...kept];
