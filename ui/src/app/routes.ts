import { kinds } from "../lib/page";
import { entries, type Route } from "./pages";

/** The admin sections other than the registration lists, by the last part of their address; `admin/shell/sections.ts` has their titles. */
export const adminSections = ["payments", "mailings", "exports", "nominations", "judging", "door", "lists", "site", "forms", "mail-texts", "outbox", "audit", "backups", "access"] as const;

const sections = [...kinds, ...adminSections];

/** Every address that the server renders. */
export const routes: readonly Route[] = [...entries.flatMap(([page, { path, policy = "site", hasSections }]) =>
  [path, ...(hasSections ? sections.map((section) => `${path}/${section}`) : [])].map((address) => ({ path: address, page, policy })))];
