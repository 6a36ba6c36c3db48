import { kinds } from "../lib/page";
import { adminSections } from "./admin-sections";
import { entries, type Route } from "./pages";
import { unlinkedPages, type UnlinkedPage } from "./unlinked-pages";

const sections = [...kinds, ...adminSections];

/** Every address that the server renders. */
export const routes: readonly Route[] = [...entries.flatMap(([page, { path, policy = "site", hasSections }]) =>
  [path, ...(hasSections ? sections.map((section) => `${path}/${section}`) : [])].map((address) => ({ path: address, page, policy }))), ...Object.entries(unlinkedPages).map(([page, path]) => ({ path, page: page as UnlinkedPage, policy: "site" as const }))];
