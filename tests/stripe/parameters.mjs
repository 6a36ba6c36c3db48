// Stripe's forms: `metadata[entry]=7&expand[0]=latest_charge`, decoded and checked against what an endpoint knows.
// A parameter that is not in the endpoint's table is refused, even if Stripe itself would accept it.

import { invalid } from "./failure.mjs";

/** `[name, value]` pairs of a form or a query. */
export function decode(text) {
  if (text === "") return [];
  return text.split("&").map((pair) => {
    const at = pair.indexOf("=");
    if (at < 0) throw invalid("parameter_invalid", pair, `Invalid form: '${pair}' has no value.`);
    try {
      return [pair.slice(0, at), pair.slice(at + 1)].map((part) => decodeURIComponent(part.replaceAll("+", " ")));
    } catch {
      throw invalid("parameter_invalid", pair, "Invalid form: broken percent-encoding.");
    }
  });
}

/**
 * The values by name. `rules` is keyed by whole bracket names; `metadata` is a table, `x[]` a list.
 * A rule is `(value, name) => value`; parameters whose rule is made by `required` must be present.
 */
export function check(pairs, rules) {
  const values = {};
  const seen = new Set();
  for (const [name, text] of pairs) {
    if (seen.has(name)) throw invalid("parameter_invalid", name, `The stand-in refuses a repeated parameter: ${name}`);
    seen.add(name);
    const list = name.replace(/\[\d*\]$/, "[]");
    if (rules.metadata && (name === "metadata" || /^metadata\[[^[\]]+\]$/.test(name))) {
      values.metadata = rules.metadata(values.metadata ?? {}, name, text);
    } else if (list.endsWith("[]") && rules[list]) {
      (values[list] ??= []).push(rules[list](text, name));
    } else if (rules[name] && name !== "metadata") {
      if (text === "") throw empty(name);
      values[name] = rules[name](text, name);
    } else {
      throw invalid("parameter_unknown", name, `Received unknown parameter: ${name}`);
    }
  }
  for (const [name, rule] of Object.entries(rules)) {
    if (rule.required && !seen.has(name)) throw invalid("parameter_missing", name, `Missing required param: ${name}.`);
  }
  return values;
}

const empty = (name) => invalid("parameter_invalid_empty", name,
  `You passed an empty string for '${name}'. We assume empty values are an attempt to unset a parameter; however '${name}' cannot be unset. You should remove '${name}' from your request or supply a non-empty value.`);

export const required = (rule) => Object.assign((...all) => rule(...all), { required: true });

export const integer = (value, name) => {
  if (!/^-?\d{1,12}$/.test(value)) throw invalid("parameter_invalid_integer", name, `Invalid integer: ${value}`);
  return Number(value);
};

/** An amount to charge, in the smallest currency unit. */
export const amount = (value, name) => {
  const cents = integer(value, name);
  if (cents < 50) throw invalid("amount_too_small", name, "Amount must be at least $0.50 usd");
  if (cents > 99_999_999) throw invalid("amount_too_large", name, "Amount must be no more than $999,999.99");
  return cents;
};

/** An amount to refund: any positive integer. */
export const positive = (value, name) => {
  const cents = integer(value, name);
  if (cents < 1) throw invalid("parameter_invalid_integer", name, "Invalid positive integer");
  return cents;
};

export const currency = (value, name) => {
  if (value !== value.toLowerCase() || !["usd", "eur", "gbp", "cad"].includes(value)) {
    throw invalid("parameter_invalid_empty", name, `Invalid currency: ${value}. Stripe currently supports these currencies: usd, eur, gbp, cad`);
  }
  return value;
};

export const boolean = (value, name) => {
  if (value !== "true" && value !== "false") throw invalid("parameter_invalid_boolean", name, `Invalid boolean: ${value}`);
  return value === "true";
};

export const text = (most) => (value, name) => {
  if ([...value].length > most) throw invalid("parameter_invalid_string", name, `Invalid string: ${value.slice(0, 20)}…; must be at most ${most} characters`);
  return value;
};

export const email = (value, name) => {
  if (!/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(value)) throw invalid("email_invalid", name, `Invalid email address: ${value}`);
  return value;
};

export const oneOf = (...known) => (value, name) => {
  if (!known.includes(value)) throw invalid("parameter_invalid_string", name, `Invalid ${name}: must be one of ${known.join(", ")}`);
  return value;
};

/** At most 22 characters with at least one letter and none of `<>\'"*`, as card networks require. */
export const descriptorSuffix = (value, name) => {
  if (value.length > 22 || !/[A-Za-z]/.test(value) || /[<>\\'"*]/.test(value)) {
    throw invalid("parameter_invalid_string", name, `Invalid ${name}: '${value}'.`);
  }
  return value;
};

/** For cards Stripe requires the suffix instead. */
export const noDescriptor = (_value, name) => {
  throw invalid("parameter_invalid", name, "The statement_descriptor parameter is not supported for card payments. Use statement_descriptor_suffix instead.");
};

/** At most 50 keys of 40 characters with values of 500 characters; an empty value removes a key. */
export const metadata = (soFar, name, value) => {
  if (name === "metadata") {
    if (value !== "") throw invalid("parameter_invalid", name, "Invalid object");
    return { ...soFar, [CLEAR]: true };
  }
  const key = name.slice("metadata[".length, -1);
  if ([...key].length > 40) throw invalid("parameter_invalid", name, "Metadata keys can be at most 40 characters long.");
  if ([...value].length > 500) throw invalid("parameter_invalid", name, `Metadata values can have up to 500 characters, but you passed in a value that is ${[...value].length} characters.`);
  const all = { ...soFar, [key]: value };
  if (Object.keys(all).length > 50) throw invalid("parameter_invalid", "metadata", "Metadata can have up to 50 keys.");
  return all;
};

const CLEAR = Symbol("clear");

/** Metadata after an update: keys are merged, empty ones are removed. */
export function merge(old, change = {}) {
  const all = { ...(change[CLEAR] ? {} : old), ...change };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ""));
}
