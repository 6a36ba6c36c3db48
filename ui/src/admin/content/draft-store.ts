import { ApiError } from "../../lib/api-error";
import type { Versioned } from "../shell/versioned";
import type { Draft } from "./api";
import type { Table, Value } from "./fields/field";
import { concerns, isPlain, pathAfter, type Pending } from "./pending";
import { applied, isSame, parentOf, valueAt, type Change } from "./paths";
import { withSharedStructure } from "./shared-structure";

/** The requests of the store. */
export interface Server {
  read: () => Promise<Versioned<Draft>>;
  save: (changes: readonly Change[], tag: string) => Promise<Versioned<Draft>>;
}

/** Stores unsaved changes across a reload of the page. */
export interface Keep {
  load: () => Change[];
  store: (changes: Change[]) => void;
}

/** A value that somebody else has changed too: theirs, and the one typed here. */
export interface Dispute {
  path: string;
  theirs: Value | undefined;
  yours: Value | undefined;
}

export type Status = "saved" | "unsaved" | "saving" | "offline" | "refused" | "disputed";

/** In milliseconds. */
const saveAfter = 700;
const retryAfter = 5_000;
/** So many times in a row somebody else may have saved just before. More often, something else is wrong. */
const mostOvertaken = 5;

/**
 * The draft with unsaved changes. Changes are shown immediately and saved in order. A change that the server refuses is kept,
 * with its error, and sent again with the next change, because two fields may only be valid together.
 */
export class DraftStore {
  readonly #server: Server;
  readonly #keep: Keep;
  readonly #listeners = new Set<() => void>();
  /** The tags of all versions read so far. A version that arrives again is outdated. */
  readonly #seen = new Set<string>();
  #saved: Versioned<Draft> | undefined;
  #unconfirmed: ReadonlySet<string> = new Set();
  #content: Table = {};
  #pending: Pending[] = [];
  #errors: Record<string, string> = {};
  #disputes: Dispute[] = [];
  #isOffline = false;
  /** Set when the session has ended. Nothing is sent until the draft has been read again. */
  #isSignedOut = false;
  #sending: Promise<void> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(server: Server, keep: Keep) {
    this.#server = server;
    this.#keep = keep;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** The draft as the server has it. */
  get saved(): Versioned<Draft> | undefined {
    return this.#saved;
  }

  /** The checker's errors in the saved draft, by path. */
  get problems(): Record<string, string> {
    return this.#saved?.value.problems ?? {};
  }

  /** The paths of texts from the previous edition that nobody has confirmed yet. */
  get unconfirmed(): ReadonlySet<string> {
    return this.#unconfirmed;
  }

  /** Including unsaved changes. */
  get content(): Table {
    return this.#content;
  }

  get status(): Status {
    if (this.#isOffline) return "offline";
    if (this.#sending) return "saving";
    if (this.#pending.some(({ isDisputed }) => isDisputed)) return "disputed";
    if (this.#pending.some(({ isRefused }) => isRefused)) return "refused";
    return this.#pending.length > 0 ? "unsaved" : "saved";
  }

  get errors(): Record<string, string> {
    return this.#errors;
  }

  get disputes(): Dispute[] {
    return this.#disputes;
  }

  /** Takes a draft that was just read. Unsaved changes are kept. */
  load(draft: Versioned<Draft>): void {
    this.#isSignedOut = false;
    if (!this.#seen.has(draft.tag) && !this.#sending) {
      const isFirst = this.#saved === undefined;
      if (isFirst && this.#pending.length === 0) this.#restore(draft.value.content);
      else this.#dispute(draft);
      this.#accept(draft);
    }
    if (this.#pending.length > 0) this.#schedule(saveAfter);
  }

  /** Applies changes. Changes to lists are saved immediately, because they shift the indices of other paths. */
  edit(...changes: Change[]): void {
    for (const change of changes) {
      this.#content = applied(this.#content, change);
      const before = this.#sending ? undefined : this.#setBefore(change);
      if (before) Object.assign(before, { change, isRefused: false });
      else this.#pending.push({ change, isRefused: false, isDisputed: false });
    }
    this.#changed();
    this.#schedule(changes.every(isPlain) ? saveAfter : 0);
  }

  /** Saves unsaved changes. Resolves to whether everything is saved. */
  async flush(): Promise<boolean> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    while (this.#sending) await this.#sending;
    const sending = this.#send();
    this.#sending = sending;
    this.#changed();
    await sending;
    this.#sending = undefined;
    this.#changed();
    // Changes made while sending.
    if (!this.#isOffline && !this.#isSignedOut && this.#pending.some((pending) => !pending.isRefused && !pending.isDisputed)) this.#schedule(saveAfter);
    return this.#pending.length === 0;
  }

  /** Resolves a dispute with the value typed here or with the other one. */
  settle(path: string, keepMine: boolean): void {
    this.#pending = this.#pending.filter((pending) => !pending.isDisputed || pending.change.path !== path || keepMine);
    for (const pending of this.#pending) if (pending.change.path === path) pending.isDisputed = false;
    this.#recompute();
    this.#schedule(0);
  }

  /** Discards unsaved changes and shows the stored draft. */
  forget(stored?: Versioned<Draft>): void {
    clearTimeout(this.#timer);
    this.#pending = [];
    this.#errors = {};
    this.#isOffline = false;
    if (stored) this.#accept(stored);
    else {
      this.#saved = undefined;
      this.#seen.clear();
    }
    this.#recompute();
  }

  #restore(content: Table): void {
    const kept = this.#keep.load().filter((change) => isPlain(change) && valueAt(content, change.path) !== undefined);
    this.#pending = kept.map((change) => ({ change, isRefused: false, isDisputed: false }));
  }

  #schedule(after: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.flush(), after);
  }

  #retryLater(): void {
    this.#isOffline = true;
    this.#schedule(retryAfter);
  }

  async #send(): Promise<void> {
    let candidates = this.#pending.filter(({ isDisputed }) => !isDisputed);
    const errors: Record<string, string> = {};
    const refused = new Set<Pending>();
    let overtaken = 0;
    // Each round sends fewer changes than the one before, or follows somebody else's save.
    while (candidates.length > 0 && this.#saved) {
      try {
        const answer = await this.#server.save(candidates.map(({ change }) => change), this.#saved.tag);
        this.#isOffline = false;
        this.#remove(candidates, errors);
        this.#accept(answer);
        candidates = [];
      } catch (error) {
        const status = error instanceof ApiError ? error.status : 0;
        if (status === 412) {
          overtaken += 1;
          if (overtaken > mostOvertaken) this.#retryLater();
          if (overtaken > mostOvertaken || !(await this.#overtaken())) break;
          candidates = candidates.filter((pending) => !pending.isDisputed && this.#pending.includes(pending));
        } else if (status === 0 || status === 401 || status === 429 || status >= 500) {
          this.#isSignedOut = status === 401;
          this.#isOffline = false;
          if (!this.#isSignedOut) this.#retryLater();
          break;
        } else {
          const found = (error as ApiError).problem.errors ?? {};
          const blamed = candidates.filter((pending, at) => [pending.change.path, pathAfter(pending, candidates.slice(at + 1))].some((changed) => Object.keys(found).some((path) => concerns(path, changed))));
          const all = blamed.length > 0 ? blamed : candidates;
          if (blamed.length === 0) for (const { change } of candidates) errors[change.path] = (error as ApiError).problem.detail ?? "This could not be saved.";
          Object.assign(errors, found);
          for (const pending of all) {
            pending.isRefused = true;
            refused.add(pending);
          }
          // A refused change to a list is undone, because later paths would have other indices on the server.
          this.#pending = this.#pending.filter((pending) => !refused.has(pending) || isPlain(pending.change));
          candidates = candidates.filter((pending) => !refused.has(pending));
        }
      }
    }
    if (!this.#isOffline) this.#errors = errors;
    this.#recompute();
  }

  /** The pending change of the same value, unless an index of it may have changed since. */
  #setBefore(change: Change): Pending | undefined {
    if (!isPlain(change)) return undefined;
    const since = this.#pending.findLastIndex((pending) => !isPlain(pending.change)) + 1;
    return this.#pending.slice(since).find((pending) => pending.change.path === change.path);
  }

  /** Removes changes that were saved. The paths of the others may have other indices now. */
  #remove(sent: readonly Pending[], errors: Record<string, string>): void {
    const left: Pending[] = [];
    for (const [at, pending] of this.#pending.entries()) {
      if (sent.includes(pending)) continue;
      const path = pathAfter(pending, this.#pending.slice(at + 1).filter((later) => sent.includes(later)));
      if (path === undefined) continue;
      if (path !== pending.change.path && errors[pending.change.path]) errors[path] = errors[pending.change.path] as string;
      left.push({ ...pending, change: { ...pending.change, path } });
    }
    this.#pending = left;
  }

  /** Reads the draft that somebody else has saved. Resolves to whether that succeeded. */
  async #overtaken(): Promise<boolean> {
    try {
      const current = await this.#server.read();
      this.#dispute(current);
      this.#accept(current);
      return true;
    } catch {
      this.#retryLater();
      return false;
    }
  }

  /** Marks unsaved changes to values that the other person changed too. Of a list changed there, their version is used. */
  #dispute(current: Versioned<Draft>): void {
    const before = this.#saved?.value.content ?? current.value.content;
    const isTheirs = (path: string) => !isSame(valueAt(before, path), valueAt(current.value.content, path));
    this.#pending = this.#pending.filter(({ change }) => isPlain(change) || !isTheirs("insert" in change ? change.path : parentOf(change.path)));
    for (const pending of this.#pending) {
      const { change } = pending;
      if (isPlain(change)) pending.isDisputed ||= isTheirs(change.path) && !isSame(valueAt(current.value.content, change.path), change.value);
    }
  }

  #accept(answer: Versioned<Draft>): void {
    const content = withSharedStructure(this.#saved?.value.content, answer.value.content);
    this.#seen.add(answer.tag);
    this.#saved = { tag: answer.tag, value: { ...answer.value, content } };
    this.#unconfirmed = new Set(answer.value.unconfirmed);
    this.#recompute();
  }

  #recompute(): void {
    const stored = this.#saved?.value.content ?? {};
    const typed = this.#pending.reduce((content, { change }) => applied(content, change), stored);
    this.#content = withSharedStructure(this.#content, typed);
    this.#disputes = this.#pending.filter(({ isDisputed }) => isDisputed)
      .map(({ change }) => ({ path: change.path, theirs: valueAt(stored, change.path), yours: "value" in change ? change.value : undefined }));
    this.#changed();
  }

  #changed(): void {
    this.#keep.store(this.#pending.map(({ change }) => change));
    for (const listener of this.#listeners) listener();
  }
}
