/** What the browser's database keeps. */
export const kept = new Map<string, unknown>();

export const createStore = () => ({});
export const set = async (key: string, value: unknown) => void kept.set(key, value);
export const del = async (key: string) => void kept.delete(key);
export const entries = async () => [...kept];
