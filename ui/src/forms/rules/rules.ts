import * as v from "valibot";
import { isEmail, isUrl, countCharacters, hasControlCharacters, hasHiddenCharacters, normalised, normalisedContact, normalisedLines } from "./text";
import { commonMessages, fieldsOf, type FieldRule, type FormRule } from "./form-rules";

/** The choices that come from the event's content. */
export interface Offered {
  categories: { value: string; subcategories: string[] }[];
}

export type FieldErrors = Record<string, string>;
export type Values = Record<string, unknown>;

export type Checked = { ok: true; values: Values } | { ok: false; errors: FieldErrors };

const nothingOffered: Offered = { categories: [] };

/** Limits of a text whose field names none, in code points. */
const longestText = 200;
const longestLongText = 10_000;

/** The types that programs read: email and web addresses, phone numbers and handles. */
const contactTypes = new Set<FieldRule["type"]>(["email", "phone", "url", "handle"]);

/** The same rules as the server's (`src/forms/check.rs`), as a schema. Its output is what the server would store. */
export function schemaOf(form: FormRule, offered: Offered = nothingOffered) {
  const fields = fieldsOf(form);
  return v.pipe(
    v.object(Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field, offered)]))),
    v.rawCheck<Values>(({ dataset, addIssue }) => {
      const values = dataset.value as Values;
      for (const field of fields) {
        if (!breaksRuleBetweenFields(field, values, offered)) continue;
        addIssue({ message: messageOf(field), path: [pathItem(values, field.name)] });
      }
    }),
  );
}

const builtSchemas = new WeakMap<Offered, Map<FormRule, ReturnType<typeof schemaOf>>>();

/** Forms are checked while people type, so a schema is built once for what is offered. */
function builtSchemaOf(form: FormRule, offered: Offered) {
  const built = builtSchemas.get(offered) ?? new Map<FormRule, ReturnType<typeof schemaOf>>();
  const schema = built.get(form) ?? schemaOf(form, offered);
  builtSchemas.set(offered, built.set(form, schema));
  return schema;
}

/** Checks a whole form; every wrong field is named, by the first rule that it breaks. */
export function check(form: FormRule, input: Values, offered: Offered = nothingOffered): Checked {
  const result = v.safeParse(builtSchemaOf(form, offered), input);
  if (result.success) return { ok: true, values: result.output };
  const errors: FieldErrors = {};
  for (const issue of result.issues) {
    const name = String(issue.path?.[0]?.key ?? "");
    errors[name] ??= issue.message;
  }
  return { ok: false, errors };
}

function fieldSchema(field: FieldRule, offered: Offered): v.GenericSchema<unknown, unknown> {
  const message = messageOf(field);
  switch (field.type) {
    case "flag":
      return v.nullish(v.boolean(), false);
    case "consent":
      return v.pipe(v.nullish(v.boolean(), false), v.check((agreed) => agreed || !field.required, message));
    case "count":
      return v.pipe(
        v.nullish(v.number(), Number(field.default ?? field.min ?? 0)),
        v.check((count) => isCountWithin(count, field), message),
      );
    case "choices":
      return v.pipe(
        v.nullish(v.array(v.string()), []),
        v.check((items) => new Set(items).size === items.length, message),
        v.check((items) => items.every((item) => isOption(field, item)), message),
        v.check((items) => items.length >= (field.min ?? (field.required ? 1 : 0)), message),
      );
    default:
      return textSchema(field, offered);
  }
}

function textSchema(field: FieldRule, offered: Offered) {
  const breaksLines = field.type === "longText";
  const most = field.max ?? (breaksLines ? longestLongText : longestText);
  const message = messageOf(field);
  const isChoice = field.type === "choice";
  const normalise = breaksLines ? normalisedLines : contactTypes.has(field.type) ? normalisedContact : normalised;
  // Null stands for a missing text from here on; only the first check looks at it.
  const given = (holds: (text: string) => boolean) => (text: string | null) => text === null || holds(text);
  return v.pipe(
    v.nullish(v.string(), String(field.default ?? "")),
    v.transform((text) => normalise(text) || null),
    v.check((text) => text !== null || !field.required, message),
    v.check(given((text) => !isChoice || isOffered(field, text, offered)), message),
    v.check(given((text) => isChoice || countCharacters(text) >= (field.min ?? 0)), message),
    v.check(given((text) => isChoice || countCharacters(text) <= most), commonMessages.tooLong.replace("{max}", String(most))),
    v.check(given((text) => isChoice || !hasControlCharacters(text, breaksLines)), commonMessages.controlCharacters),
    v.check(given((text) => isChoice || !hasHiddenCharacters(text)), commonMessages.hiddenCharacters),
    v.check(given((text) => field.type !== "email" || isEmail(text)), message),
    v.check(given((text) => field.type !== "url" || isUrl(text)), message),
  );
}

/** Subcategories belong to a category, and some fields are required from another's value on. */
function breaksRuleBetweenFields(field: FieldRule, values: Values, offered: Offered): boolean {
  const value = values[field.name];
  if (value === null && field.requiredFrom) {
    return Number(values[field.requiredFrom.field]) >= field.requiredFrom.atLeast;
  }
  if (value === null || field.optionsFrom !== "subcategories") return false;
  const category = offered.categories.find((candidate) => candidate.value === values[field.of ?? ""]);
  return !category?.subcategories.includes(String(value));
}

function isOffered(field: FieldRule, value: string, offered: Offered): boolean {
  if (field.optionsFrom === "categories") return offered.categories.some((category) => category.value === value);
  return field.optionsFrom === "subcategories" || isOption(field, value);
}

function isOption(field: FieldRule, value: string): boolean {
  return field.options?.some((option) => option.value === value) ?? false;
}

function isCountWithin(count: number, field: FieldRule): boolean {
  return Number.isInteger(count) && count >= (field.min ?? 0) && count <= (field.max ?? Infinity);
}

function messageOf(field: FieldRule): string {
  return field.message ?? `${field.label} is not valid`;
}

function pathItem(input: Values, key: string): v.ObjectPathItem {
  return { type: "object", origin: "value", input, key, value: input[key] };
}
