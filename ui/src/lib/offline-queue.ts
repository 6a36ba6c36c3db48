import { createStore, entries, promisifyRequest, type UseStore } from "idb-keyval";
import { ApiError } from "./api-error";

/** In milliseconds. A broken connection is tried again after the first wait, then after longer ones up to the longest. */
const firstWait = 2_000;
const longestWait = 60_000;

interface Options<Item> {
  /** The name of the browser's database. */
  name: string;
  idOf: (item: Item) => string;
  /** Sends what waits, and says what it has done by `put` and `forget`. When it throws it is called again later; not after a `401`. */
  send: () => Promise<void>;
  onChange: () => void;
}

interface Message<Item> {
  put: readonly Item[];
  gone: readonly string[];
}

/**
 * Records of this device that the server may not have yet, one for each id, so that two tabs never overwrite each other's.
 * They outlive the page. A browser that refuses to store anything keeps them until the page is closed: `isStored` is false then.
 */
export class OfflineQueue<Item> {
  #items: ReadonlyMap<string, Item> = new Map();
  #store: UseStore | undefined;
  #tabs: BroadcastChannel | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  #isStarted = false;
  #failures = 0;
  isStored = true;
  readonly #options: Options<Item>;

  constructor(options: Options<Item>) {
    this.#options = options;
  }

  items(): readonly Item[] {
    return [...this.#items.values()];
  }

  get(id: string): Item | undefined {
    return this.#items.get(id);
  }

  /** Reads what earlier pages have left and sends it, and from now on sends by itself. Returns a function that stops it. */
  start(): () => void {
    this.#isStarted = true;
    if (typeof BroadcastChannel !== "undefined") {
      this.#tabs = new BroadcastChannel(this.#options.name);
      this.#tabs.onmessage = ({ data }: MessageEvent<Message<Item>>) => this.#show(data);
    }
    const retry = () => void this.flush();
    addEventListener("online", retry);
    void this.#stored(async (store) => {
      const kept = await entries<string, Item>(store);
      this.#show({ put: kept.filter(([id]) => !this.#items.has(id)).map(([, item]) => item), gone: [] });
    }).then(() => this.#isStarted && retry());
    return () => {
      this.#isStarted = false;
      clearTimeout(this.#timer);
      removeEventListener("online", retry);
      this.#tabs?.close();
      this.#tabs = undefined;
    };
  }

  /** Adds or replaces records. Settles when the device has stored them. */
  put(...items: Item[]): Promise<void> {
    return this.#change({ put: items, gone: [] });
  }

  forget(ids: readonly string[]): Promise<void> {
    return this.#change({ put: [], gone: ids });
  }

  /** Sends after a while, in milliseconds, in place of any earlier plan. Nothing is sent before the start and after the end. */
  later(wait: number): void {
    clearTimeout(this.#timer);
    if (this.#isStarted) this.#timer = setTimeout(() => void this.flush(), wait);
  }

  /** Sends at once; calls while it is sending make it send once more afterwards. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#next ??= this.#running.then(() => {
      this.#next = undefined;
      return (this.#running = this.#send());
    });
    return this.#next;
  }

  async #send(): Promise<void> {
    try {
      await this.#options.send();
      this.#failures = 0;
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return;
      const asked = error instanceof ApiError ? (error.retryAfter ?? 0) * 1000 : 0;
      this.later(Math.max(asked, Math.min(longestWait, firstWait * 2 ** this.#failures++)));
    }
  }

  async #change(message: Message<Item>): Promise<void> {
    this.#show(message);
    await this.#stored((store) => store("readonly", ({ transaction: { db } }) => {
      // On the disk before it counts as stored: a phone may lose its power at once.
      const records = db.transaction("items", "readwrite", { durability: "strict" }).objectStore("items");
      for (const item of message.put) records.put(item, this.#options.idOf(item));
      for (const id of message.gone) records.delete(id);
      // Otherwise the browser commits only after the page has heard of each result, and a page that is left at once hears nothing.
      records.transaction.commit();
      return promisifyRequest(records.transaction);
    }));
    this.#tabs?.postMessage(message);
  }

  #show({ put, gone }: Message<Item>): void {
    const items = new Map([...this.#items, ...put.map((item) => [this.#options.idOf(item), item] as const)]);
    for (const id of gone) items.delete(id);
    this.#items = items;
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
