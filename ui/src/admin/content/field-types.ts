import type { Option } from "../../kit/select";

/** A value of the content as the API gives it. */
export type Value = string | number | boolean | null | Value[] | { [key: string]: Value };
export type Table = { [key: string]: Value };

interface Common {
  /** The path below the section's own: "name", "map.embedUrl". */
  name: string;
  label: string;
  hint?: string;
  /** The value may be empty; a day or a table may be absent. */
  optional?: true;
}

export interface TextField extends Common {
  type: "line" | "text";
  /** The most characters. */
  most: number;
  keyboard?: "email" | "url" | "tel";
}

/** The limits are in the stored unit: whole numbers, cents, or hundredths of a percent. */
export interface NumberField extends Common {
  type: "number" | "dollars" | "percent";
  least: number;
  most: number;
}

export interface ChoiceField extends Common {
  type: "choice";
  options: readonly Option[] | ((content: Table, of: Table) => Option[]);
  /** The value is stored as a number. */
  numeric?: true;
}

/** "2026-03-28", "09:30", or a day with or without a time: "2026-03-28 18:00". */
export interface TimeField extends Common {
  type: "day" | "time" | "moment";
}

export interface FlagField extends Common {
  type: "flag";
  /** What an absent value means. */
  otherwise?: boolean;
}

/** A place for a picture. */
export interface PictureField extends Common {
  type: "picture";
  /** The place's width and height, as a ratio. */
  shape: readonly [number, number];
  /** The field beside it that describes the picture; people's pictures are described by their names. */
  alt?: string;
  /** The picture is shown uncropped, as a logo is. */
  whole?: true;
}

export interface GroupField extends Common {
  type: "group";
  fields: readonly Field[];
  /** The value is a list of a fixed length, whose members are the fields "0", "1". */
  array?: true;
}

interface ListCommon extends Common {
  /** The singular of the members, such as "person". */
  one: string;
  least: number;
  most: number;
}

export interface ListField extends ListCommon {
  type: "list";
  /** The fields of a member. */
  of: readonly Field[];
  /** The title of a row. */
  title: (member: Table) => string;
  /** The members follow each other in time, so a member that is moved takes the time of its new place. */
  timed?: true;
}

/** A list of plain texts. */
export interface LinesField extends ListCommon {
  type: "lines";
  longest: number;
}

export type Field = TextField | NumberField | ChoiceField | TimeField | FlagField | PictureField | GroupField | ListField | LinesField;

export interface Section {
  title: string;
  /** The path of the table that has these fields; "" for the content itself. */
  path: string;
  fields: readonly Field[];
  note?: string;
}

export interface Part {
  name: string;
  title: string;
  /** What can be changed there, in a sentence. */
  about: string;
  /** The page that shows it best, by its path without the slash. */
  page: string;
  sections: readonly Section[];
}

export const part = (about: Omit<Part, "sections">, sections: readonly Section[]): Part => ({ ...about, sections });
export const section = (title: string, path: string, fields: readonly Field[], note?: string): Section => ({ title, path, fields, note });

export const line = (name: string, label: string, most = 120, more: Partial<TextField> = {}): TextField => ({ type: "line", name, label, most, ...more });
export const text = (name: string, label: string, most = 600, more: Partial<TextField> = {}): TextField => ({ type: "text", name, label, most, ...more });
export const flag = (name: string, label: string, more: Partial<FlagField> = {}): FlagField => ({ type: "flag", name, label, ...more });
export const day = (name: string, label: string, more: Partial<TimeField> = {}): TimeField => ({ type: "day", name, label, ...more });
export const time = (name: string, label: string): TimeField => ({ type: "time", name, label });
export const moment = (name: string, label: string, hint: string): TimeField => ({ type: "moment", name, label, hint, optional: true });
export const number = (name: string, label: string, least: number, most: number, hint?: string): NumberField => ({ type: "number", name, label, least, most, hint });
export const dollars = (name: string, label: string, hint?: string): NumberField => ({ type: "dollars", name, label, least: 50, most: 10_000_000, hint });
export const choice = (name: string, label: string, options: ChoiceField["options"] | Record<string, string>, more: Partial<ChoiceField> = {}): ChoiceField =>
  ({ type: "choice", name, label, options: Array.isArray(options) || typeof options === "function" ? options : Object.entries(options).map(([value, text]) => ({ value, label: text })), ...more });
export const group = (name: string, label: string, fields: readonly Field[], more: Partial<GroupField> = {}): GroupField => ({ type: "group", name, label, fields, ...more });
export const lines = (name: string, label: string, one: string, more: Partial<LinesField> = {}): LinesField => ({ type: "lines", name, label, one, least: 1, most: 40, longest: 400, ...more });
export const list = (name: string, label: string, one: string, of: readonly Field[], more: Partial<ListField> = {}): ListField =>
  ({ type: "list", name, label, one, of, title: (member) => textOf(member.title ?? member.label ?? member.name), least: 0, most: 60, ...more });
/** The title of a row from these values of the member. */
export const titled = (separator: string, ...names: readonly string[]) => (member: Table) => names.map((name) => textOf(member[name])).filter(Boolean).join(separator);
export const picture = (name: string, label: string, shape: PictureField["shape"], alt?: string, more: Partial<PictureField> = {}): PictureField => ({ type: "picture", name, label, shape, alt, optional: true, ...more });

/** "This is a sample": the site is not finished while one is left. */
export const sample = flag("sample", "This is still a sample", { hint: "Untick it once it is true." });

const linkHint = "A page of this site, such as /venue, or an address that begins with https:// or mailto:";
export const link = (name: string, label: string): GroupField => group(name, label, [line("label", "Text"), line("href", "Leads to", 300, { hint: linkHint })]);
export const links = (name: string, label: string): ListField => list(name, label, "button", [line("label", "Text"), line("href", "Leads to", 300, { hint: linkHint })], { least: 1, most: 8 });
export const items = (name: string, label: string, one: string, more: Partial<ListField> = {}): ListField => list(name, label, one, [line("title", "Title"), text("text", "Text")], more);
export const samples = (name: string, label: string, one: string): ListField => list(name, label, one, [sample, line("title", "Title"), text("text", "Text")]);
export const points = (name: string, label: string, one: string): ListField => list(name, label, one, [line("title", "Title"), lines("points", "Points", "point")], { least: 1 });
export const closing = (name: string, label: string): GroupField => group(name, label, [line("title", "Title"), text("text", "Text"), links("buttons", "Buttons")]);
export const card = (name: string, label: string): GroupField => group(name, label, [line("title", "Title"), text("text", "Text"), link("link", "Link")]);

export function textOf(value: Value | undefined): string {
  return value === undefined || value === null || typeof value === "object" ? "" : String(value);
}

export function isTable(value: Value | undefined): value is Table {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The tables of a list; none where there is no list. */
export function tablesOf(value: Value | undefined): Table[] {
  return Array.isArray(value) ? value.filter(isTable) : [];
}
