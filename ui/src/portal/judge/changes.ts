import { detailOf, errorsOf } from "../../lib/api-error";
import { newIdempotencyKey } from "../../lib/idempotency-key";
import { OfflineQueue } from "../../lib/offline-queue";
import { serverNow } from "../../lib/clock";
import { isFinal, isSignedOut } from "../session";
import { askSession, isNotJudged, needsTerms, sendChanges, type Change, type Sheet, type Value } from "./api";

/** A change that has not reached the server yet. */
export interface KeptChange {
  sheet: string;
  change: Change;
  /** The id of the judge who gave it. */
  judge: number;
}

/** The state of sending a judge's values. */
export interface Sending {
  /** The changes that the server does not have yet, oldest first. */
  waiting: readonly KeptChange[];
  /** Whether the device stores them, so that they outlive the page. */
  isStored: boolean;
  /** "held": until the judge has accepted the terms. */
  state: "idle" | "sending" | "offline" | "held";
  /** The sheets whose nominations were not judged at the last try: the organiser may have asked for another photo. */
  notJudged: ReadonlySet<string>;
  /** What the server refused for good, by sheet, until the judge gives that sheet another value. */
  refused: ReadonlyMap<string, Refused>;
}

export interface Refused {
  count: number;
  /** Why the last one was refused. */
  message: string;
}

interface Callbacks {
  /** The server has stored values; this is the sheet as it is now. */
  onStored: (sheet: Sheet) => void;
  /** A value was refused for good, so the sheet differs from what this page shows. */
  onRefused: (sheet: string) => void;
  /** Other terms are in force, which the judge accepts before anything else is sent. */
  onTermsRequired: () => void;
  onSignedOut: () => void;
}

/** Presses of a button that follow each other within this time, in milliseconds, become one value. */
const quiet = 400;
/** How long to wait before the next try for a nomination that is not judged, in milliseconds. */
const askAgainAfter = 60_000;

/**
 * Sends each value as soon as it is given. A value is kept on the device until the server has it, and is sent under the
 * same id however often the connection breaks. Only values of the signed-in judge are sent: others may use this device, too.
 */
export class Changes {
  #sending: Sending = { waiting: [], isStored: true, state: "idle", notJudged: new Set(), refused: new Map() };
  #listeners = new Set<() => void>();
  /** The ids of the changes being sent, which a newer value must not replace. */
  #inFlight = new Set<string>();
  readonly #queue = new OfflineQueue<KeptChange>({
    name: "judge",
    idOf: ({ change }) => change.id,
    send: () => this.#sendAll(),
    onChange: () => this.#show({ waiting: this.#own(), isStored: this.#queue.isStored }),
  });
  /** The judge's id. */
  readonly #judge: number;
  readonly #callbacks: Callbacks;

  constructor(judge: number, callbacks: Callbacks) {
    this.#judge = judge;
    this.#callbacks = callbacks;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  shown = (): Sending => this.#sending;

  /** Sends what an earlier page could not, and every value from now on. Returns a function that stops it. */
  start(): () => void {
    if (this.#sending.state === "held") this.#show({ state: "idle" });
    return this.#queue.start();
  }

  add(sheet: string, value: Value, rubricVersion?: string): void {
    const change: Change = { id: newIdempotencyKey(), at: new Date(serverNow()).toISOString(), ...(rubricVersion !== undefined && { rubricVersion }), ...value };
    const isReplaced = (kept: KeptChange) => kept.sheet === sheet && targetOf(kept.change) === targetOf(change) && !this.#inFlight.has(kept.change.id);
    const replaced = this.#sending.waiting.filter(isReplaced).map((kept) => kept.change.id);
    // In this order: a phone that ends in between has both, and sends the older one first.
    void this.#queue.put({ sheet, change, judge: this.#judge });
    void this.#queue.forget(replaced);
    this.#show({ refused: new Map([...this.#sending.refused].filter(([of]) => of !== sheet)) });
    // The terms could not be loaded before.
    if (this.#sending.state === "held") this.#callbacks.onTermsRequired();
    else this.#queue.later(quiet);
  }

  /** Sends everything that is waiting at once. Settles when nothing is left that can be sent, or when sending failed. */
  flush(): Promise<void> {
    return this.#sending.state === "held" ? Promise.resolve() : this.#queue.flush();
  }

  /** The changes of this judge, oldest first. */
  #own(): KeptChange[] {
    const own = this.#queue.items().filter(({ judge }) => judge === this.#judge);
    return own.sort((a, b) => a.change.at.localeCompare(b.change.at));
  }

  async #sendAll(): Promise<void> {
    if (this.#sending.state === "held") return;
    const notJudged = new Set<string>();
    const next = () => this.#sending.waiting.find(({ sheet }) => !notJudged.has(sheet));
    for (let first = next(); first; first = next()) {
      if (!(await this.#send(first.sheet, notJudged))) return;
    }
    this.#show({ state: "idle", notJudged });
    if (notJudged.size > 0) this.#queue.later(askAgainAfter);
  }

  /** Sends the changes of one sheet. Returns false if no other can be sent now, and throws if all are tried again later. */
  async #send(sheet: string, notJudged: Set<string>): Promise<boolean> {
    const batch = this.#sending.waiting.filter((kept) => kept.sheet === sheet).map(({ change }) => change);
    this.#inFlight = new Set(batch.map(({ id }) => id));
    this.#show({ state: "sending" });
    try {
      const stored = await sendChanges(sheet, batch);
      this.#forget(batch);
      this.#callbacks.onStored(stored);
      return true;
    } catch (error) {
      if (!isNotJudged(error)) return await this.#handle(sheet, batch, error);
      notJudged.add(sheet);
      return true;
    } finally {
      this.#inFlight = new Set();
    }
  }

  async #handle(sheet: string, batch: Change[], error: unknown): Promise<boolean> {
    if (needsTerms(error)) {
      this.#show({ state: "held" });
      this.#callbacks.onTermsRequired();
      return false;
    }
    if (isFinal(error) && error.status === 404) {
      // Another judge has signed in meanwhile, and the sheet is not theirs.
      const session = await askSession().catch(() => undefined);
      if (session === undefined) return this.#retryLater(error);
      if (session?.id !== this.#judge) return this.#endSession();
    }
    if (isSignedOut(error)) return this.#endSession();
    if (!isFinal(error)) return this.#retryLater(error);
    // The server takes all changes or none. Those it names are dropped, and the others are sent again.
    const errors = errorsOf(error);
    const named = batch.filter((_, index) => Object.keys(errors).some((key) => key.startsWith(`changes[${index}]`)));
    const gone = named.length > 0 ? named : batch;
    this.#forget(gone);
    const message = Object.values(errors)[0] ?? detailOf(error) ?? "The server did not take this value.";
    const sentence = message.replace(/[^.!?]$/, "$&.");
    const count = (this.#sending.refused.get(sheet)?.count ?? 0) + gone.length;
    this.#show({ refused: new Map([...this.#sending.refused, [sheet, { count, message: sentence }]]) });
    this.#callbacks.onRefused(sheet);
    return true;
  }

  #endSession(): false {
    this.#show({ state: "idle" });
    this.#callbacks.onSignedOut();
    return false;
  }

  #retryLater(error: unknown): never {
    this.#show({ state: "offline" });
    throw error;
  }

  /** Forgets what is waiting, when the judge signs out all the same. */
  discard(): void {
    this.#forget(this.#sending.waiting.map(({ change }) => change));
  }

  #forget(changes: Change[]): void {
    void this.#queue.forget(changes.map(({ id }) => id));
  }

  #show(next: Partial<Sending>): void {
    this.#sending = { ...this.#sending, ...next };
    for (const listener of this.#listeners) listener();
  }
}

/** What a value belongs to. A later value with the same key replaces it. */
export function targetOf(value: Value): string {
  if ("criterion" in value) return `criterion ${value.criterion}`;
  return "penalty" in value ? `penalty ${value.penalty}` : "comment";
}

/** The sheet as its judge has left it, with the values that the server does not have yet. */
export function withWaiting(sheet: Sheet, values: readonly Value[]): Sheet {
  let { scores, penaltyScores, comment } = sheet;
  for (const value of values) {
    if ("criterion" in value) scores = [...scores.filter(({ criterion }) => criterion !== value.criterion), { criterion: value.criterion, points: value.points }];
    else if ("penalty" in value) penaltyScores = [...penaltyScores.filter(({ penalty }) => penalty !== value.penalty), { penalty: value.penalty, points: value.points }];
    else comment = value.comment;
  }
  return { ...sheet, scores, penaltyScores, comment };
}
