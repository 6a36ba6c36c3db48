import { createStore, delMany, entries, set, type UseStore } from "idb-keyval";
import { ApiError } from "./api-error";

/** In milliseconds. A broken connection is tried again after the first wait, then after longer ones up to the longest. */
const firstWait = 2_000;
const longestWait = 60_000;

interface Options {
  /** The name of the browser's database. */
  name: string;
  /** Sends what waits and says what it has done by `put` and `forget`. When it throws it is called again later; not after a `401`. */
  send: () => Promise<void>;
  onChange: () => void;
}

/**
 * Records of this device that the server may not have yet, one for each id, so that two tabs never overwrite each other's.
 * They outlive the page. A browser that refuses to store anything keeps them until the page is closed: `isStored` is false then.
 */
export class OfflineQueue<Item extends { id: string }> {
  #items: ReadonlyMap<string, Item> = new Map();
  #store: UseStore | undefined;
  #tabs: BroadcastChannel | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running: Promise<void> | undefined;
  #isStarted = false;
  #failures = 0;
  isStored = true;
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  items(): readonly Item[] {
    return [...this.#items.values()];
  }

  get(id: string): Item | undefined {
    return this.#items.get(id);
  }

  /** Reads what earlier pages have left and sends it. Returns a function that stops it. */
  async start(): Promise<() => void> {
    this.#isStarted = true;
    if (typeof BroadcastChannel !== "undefined") {
      this.#tabs = new BroadcastChannel(this.#options.name);
      this.#tabs.onmessage = ({ data }: MessageEvent<Item[]>) => this.#show(data);
    }
    const retry = () => void this.flush();
    addEventListener("online", retry);
    await this.#stored(async (store) => {
      const kept = await entries<string, Item>(store);
      this.#show(kept.filter(([id]) => !this.#items.has(id)).map(([, item]) => item));
    });
    retry();
    return () => {
      this.#isStarted = false;
      clearTimeout(this.#timer);
      removeEventListener("online", retry);
      this.#tabs?.close();
    };
  }

  /** Adds or replaces a record. Settles when the device has stored it. */
  async put(...items: Item[]): Promise<void> {
    this.#show(items);
    await this.#stored((store) => Promise.all(items.map((item) => set(item.id, item, store))));
    this.#tabs?.postMessage(items);
  }

  async forget(ids: readonly string[]): Promise<void> {
    const gone = new Set(ids);
    this.#items = new Map([...this.#items].filter(([id]) => !gone.has(id)));
    this.#options.onChange();
    await this.#stored((store) => delMany([...ids], store));
  }

  /** Sends at once. A call during another sends again afterwards. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#running = (this.#running ?? Promise.resolve()).then(() => this.#send());
    return this.#running;
  }

  async #send(): Promise<void> {
    if (!this.#isStarted) return;
    clearTimeout(this.#timer);
    try {
      await this.#options.send();
      this.#failures = 0;
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return;
      const asked = error instanceof ApiError ? (error.retryAfter ?? 0) * 1000 : 0;
      const wait = Math.max(asked, Math.min(longestWait, firstWait * 2 ** this.#failures++));
      if (this.#isStarted) this.#timer = setTimeout(() => void this.flush(), wait);
    }
  }

  #show(items: readonly Item[]): void {
    this.#items = new Map([...this.#items, ...items.map((item) => [item.id, item] as const)]);
    this.#options.onChange();
  }

  async #stored(task: (store: UseStore) => Promise<unknown>): Promise<void> {
    try {
      this.#store ??= createStore(this.#options.name, "items");
      await task(this.#store);
    } catch {
      this.isStored = false;
      this.#options.onChange();
    }
  }
}
