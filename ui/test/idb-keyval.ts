/** What the browser's database keeps. */
export const kept = new Map<string, unknown>();

/** What is kept without a store. */
export const values = new Map<string, unknown>();

/** How each change of a store was made. */
export const durabilities: unknown[] = [];

/** Set to true, every use is refused, as in some private windows. */
export const storage = { isRefused: false };

export const createStore = () => {
  if (storage.isRefused) throw new DOMException("The operation is insecure.", "SecurityError");
  return async (_: IDBTransactionMode, task: (store: object) => unknown) => {
    // As in a page that is left at once: what is not committed by itself is lost.
    const changes: (() => void)[] = [];
    const records = {
      put: (value: unknown, key: string) => changes.push(() => kept.set(key, value)),
      delete: (key: string) => changes.push(() => kept.delete(key)),
      transaction: { commit: () => changes.forEach((change) => change()), db: { transaction: open } },
    };
    function open(_name: string, _mode: string, options?: IDBTransactionOptions) {
      durabilities.push(options?.durability);
      return { objectStore: () => records };
    }
    return task(records);
  };
};
export const promisifyRequest = async () => {};
export const set = async (key: string, value: unknown, store?: object) => void (store ? kept : values).set(key, value);
export const del = async (key: string, store?: object) => void (store ? kept : values).delete(key);
export const getMany = async (keys: string[]) => keys.map((key) => values.get(key));
export const entries = async () => [...kept];
