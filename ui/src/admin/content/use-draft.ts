import { createContext, useContext, useEffect, useRef, useSyncExternalStore } from "react";
import { endsSession } from "../shell/session";
import { addKeeper } from "../shell/unsaved";
import { readDraft, saveChanges, useDraft } from "./api";
import { DraftStore, type Keep, type Server } from "./draft-store";
import { tablesOf, type Table, type Value } from "./fields/field";
import { isSame, isWithin, valueAt, type Change } from "./paths";

const keptAt = "site-draft";

/** Kept until the tab is closed. */
const keep: Keep = {
  load: () => {
    try {
      return JSON.parse(sessionStorage.getItem(keptAt) ?? "[]") as Change[];
    } catch {
      return [];
    }
  },
  store: (changes) => {
    try {
      if (changes.length > 0) sessionStorage.setItem(keptAt, JSON.stringify(changes));
      else sessionStorage.removeItem(keptAt);
    } catch {
      // Without storage it is kept for as long as the page is open.
    }
  },
};

const server: Server = {
  read: readDraft,
  save: async (changes, tag) => {
    try {
      return await saveChanges(changes, tag);
    } catch (error) {
      endsSession(error);
      throw error;
    }
  },
};

/** The page has one store, so that what was typed is saved even if the organiser opens another section meanwhile. */
export const draftStore = new DraftStore(server, keep);

export const siteChanges = "changes to the website";
addKeeper({ what: siteChanges, isLeft: async () => !(await draftStore.flush()), forget: () => draftStore.forget() });

/** Reads the draft, and saves what is typed when the connection is back or the page is left. */
export function useLoadedDraft() {
  const read = useDraft();
  const { data } = read;
  useEffect(() => {
    if (data) draftStore.load(data);
  }, [data]);
  useEffect(() => {
    const save = () => void draftStore.flush();
    const warn = (event: BeforeUnloadEvent) => {
      if (draftStore.status !== "saved") event.preventDefault();
    };
    addEventListener("online", save);
    addEventListener("pagehide", save);
    addEventListener("beforeunload", warn);
    return () => {
      save();
      removeEventListener("online", save);
      removeEventListener("pagehide", save);
      removeEventListener("beforeunload", warn);
    };
  }, []);
  return read;
}

function useOfStore<Part>(part: () => Part): Part {
  return useSyncExternalStore(draftStore.subscribe, part, part);
}

/** The draft as the server has it, once it is read. */
export const useSaved = () => useOfStore(() => draftStore.saved);
export const useContent = () => useOfStore(() => draftStore.content);
export const useStatus = () => useOfStore(() => draftStore.status);
export const useDisputes = () => useOfStore(() => draftStore.disputes);
export const useErrors = () => useOfStore(() => draftStore.errors);
export const useValue = (path: string): Value | undefined => useOfStore(() => valueAt(draftStore.content, path));

export const useUnconfirmed = () => useOfStore(() => draftStore.unconfirmed);
export const useIsUnconfirmed = (path: string): boolean => useOfStore(() => draftStore.unconfirmed.has(path));

/** How many texts of these values are to be confirmed. */
export function useUnconfirmedCount(paths: readonly string[]): number {
  return useOfStore(() => (draftStore.unconfirmed.size === 0 ? 0 : [...draftStore.unconfirmed].filter((path) => paths.some((outer) => isWithin(path, outer))).length));
}

/** Confirms texts without changing them, by saving them as they are. */
export function confirmTexts(paths: Iterable<string>): void {
  draftStore.edit(...[...paths].map((path) => ({ path, value: valueAt(draftStore.content, path) ?? "" })));
}

/** The checker's error for exactly this value. */
export function useProblem(path: string): string | undefined {
  return useOfStore(() => draftStore.errors[path] ?? draftStore.problems[path]);
}

/** The number of problems in these values. */
export function useProblemCount(...paths: string[]): number {
  return useOfStore(() => problemsWithin(paths).length);
}

/** The titles of a list's members, which change less often than the members themselves. */
export function useTitles(path: string, title: (member: Table) => string): readonly string[] {
  const known = useRef<readonly string[]>([]);
  return useOfStore(() => {
    const titles = tablesOf(valueAt(draftStore.content, path)).map((member) => `${member.sample === true ? sampleMark : ""}${title(member)}`);
    if (!isSame(titles, known.current)) known.current = titles;
    return known.current;
  });
}

/** Stands before the title of a sample. */
export const sampleMark = "\u0000";

export function problemsWithin(paths: readonly string[]): string[] {
  const { problems, errors } = draftStore;
  const all = Object.keys(Object.keys(errors).length === 0 ? problems : { ...problems, ...errors });
  return all.filter((path) => paths.some((outer) => isWithin(path, outer)));
}

/** The path of the value that the page was opened for; it is shown opened and takes the focus. */
export const OpenedFor = createContext<string | null>(null);
export const useOpenedFor = () => useContext(OpenedFor);
