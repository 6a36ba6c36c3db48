import { about, after, contact, emails, facts, pass, search } from "./facts";
import type { Part } from "./field";
import { faq, forms, home, legal, sponsors, venue } from "./pages";
import { categories, people, portal, schedule } from "./program";

/** The pages of the editor, in the order of its menu. */
export const parts: readonly Part[] = [facts, people, schedule, venue, faq, legal, pass, categories, portal, home, sponsors, about, contact, forms, emails, after, search];
