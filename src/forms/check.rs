//! From a request's JSON to a record, with every broken rule named at once.

use std::borrow::Cow;

use serde_json::Value as Json;
use unicode_normalization::UnicodeNormalization;

use super::address::{is_email, is_url};
use super::hidden::HiddenCharacters;
use super::{Field, FieldType, Offered, OptionsFrom, RULES, Record, Value, form};
use crate::error::{Error, FieldErrors, Result};
use crate::model::Kind;

/// Limits of a text whose field names none (docs/reference.md, "Formats"), in code points.
pub(super) const SHORT: usize = 200;
pub(super) const LONG: usize = 10_000;

/// Checks a request's JSON against its form and normalises it (NFC, trimmed, without invisible marks).
///
/// # Errors
/// [`Error::Malformed`] when it is not an object or a field has the wrong JSON type;
/// [`Error::Invalid`] with every field that breaks a rule.
pub fn parse(kind: Kind, body: &Json, offered: &Offered) -> Result<Record> {
    parse_with(kind, body, offered, |_| Ok(FieldErrors::new()))
}

/// As [`parse`], and checks `more`, which no form states, at the same time. It is handed values that may break the
/// form's rules; where both have a message for a field, the form's is given.
///
/// # Errors
/// As [`parse`], and those of `more`.
pub fn parse_with(
    kind: Kind,
    body: &Json,
    offered: &Offered,
    more: impl FnOnce(&Record) -> Result<FieldErrors>,
) -> Result<Record> {
    let object =
        body.as_object().ok_or_else(|| Error::Malformed("Please send one JSON object.".to_owned()))?;
    let form = form(kind);
    let mut values = Vec::new();
    for field in form.fields() {
        values.push(read(field, object.get(&field.name))?);
    }
    let record = Record { kind, values };
    let mut errors = more(&record)?;
    errors.extend(record.fields().filter_map(|(field, value)| {
        broken_rule(field, value, &record, offered).map(|message| (field.name.clone(), message))
    }));
    if errors.is_empty() { Ok(record) } else { Err(Error::Invalid(errors)) }
}

/// A stored record with some of its answers replaced, and the rules that it then breaks. `null` empties a field. An
/// answer that is not replaced and broke a rule before stays: what an event offers changes.
///
/// # Errors
/// [`Error::Malformed`] for a value of the wrong JSON type; [`Error::Invalid`] for a name that is no field of the form.
pub fn replace(
    record: &Record,
    values: &serde_json::Map<String, Json>,
    offered: &Offered,
) -> Result<(Record, FieldErrors)> {
    let form = form(record.kind);
    let unknown = values.keys().filter(|name| !form.fields().any(|field| field.name == **name));
    let unknown: FieldErrors =
        unknown.map(|name| (name.clone(), format!("{} has no such field", form.name))).collect();
    if !unknown.is_empty() {
        return Err(Error::Invalid(unknown));
    }
    let mut replaced = record.clone();
    for (field, value) in form.fields().zip(&mut replaced.values) {
        if let Some(given) = values.get(&field.name) {
            *value = read(field, Some(given))?;
        }
    }
    let broken_before: Vec<&str> =
        broken_rules(record, offered).map(|(field, _)| field.name.as_str()).collect();
    let errors = broken_rules(&replaced, offered)
        .filter(|(field, _)| {
            values.contains_key(&field.name) || !broken_before.contains(&field.name.as_str())
        })
        .map(|(field, message)| (field.name.clone(), message))
        .collect();
    Ok((replaced, errors))
}

fn broken_rules(record: &Record, offered: &Offered) -> impl Iterator<Item = (&'static Field, String)> {
    let broken: Vec<_> = record
        .fields()
        .filter_map(|(field, value)| Some((field, broken_rule(field, value, record, offered)?)))
        .collect();
    broken.into_iter()
}

/// Checks only the named fields of a form, for a caller that sends no more of it; the others are missing.
///
/// # Errors
/// As [`parse`], for the named fields.
pub fn parse_part(kind: Kind, body: &Json, offered: &Offered, names: &[&str]) -> Result<Record> {
    let part: serde_json::Map<String, Json> =
        names.iter().map(|name| ((*name).to_owned(), body[*name].clone())).collect();
    let values = form(kind).fields().map(|field| read(field, part.get(&field.name)));
    let record = Record { kind, values: values.collect::<Result<_>>()? };
    let errors: FieldErrors = record
        .fields()
        .filter(|(field, _)| names.contains(&field.name.as_str()))
        .filter_map(|(field, value)| {
            broken_rule(field, value, &record, offered).map(|message| (field.name.clone(), message))
        })
        .collect();
    if errors.is_empty() { Ok(record) } else { Err(Error::Invalid(errors)) }
}

/// A long text that is in no form, such as an organiser's note, checked and normalised like one that is;
/// `None` when nothing is in it.
///
/// # Errors
/// [`Error::Invalid`] under `name` when it is too long or has control or hidden characters.
pub fn free_text(name: &str, text: &str) -> Result<Option<String>> {
    match normalised(&text.replace("\r\n", "\n"), &RULES.direction_marks) {
        Value::Text(text) => match unfit(&text, LONG, true) {
            Some(message) => Err(Error::field(name, &message)),
            None => Ok(Some(text)),
        },
        _ => Ok(None),
    }
}

/// The field's JSON in its own shape; only the JSON type can be wrong here.
fn read(field: &Field, given: Option<&Json>) -> Result<Value> {
    let given = match given {
        None | Some(Json::Null) => field.default.as_ref(),
        given => given,
    };
    let Some(given) = given else {
        return Ok(if field.field_type == FieldType::Flag { Value::Flag(false) } else { Value::Missing });
    };
    let value = match field.field_type {
        FieldType::Flag | FieldType::Consent => given.as_bool().map(Value::Flag),
        FieldType::Count => whole_number(given).map(Value::Count),
        FieldType::Choices => texts(given).map(Value::List),
        FieldType::LongText => {
            given.as_str().map(|text| normalised(&text.replace("\r\n", "\n"), &RULES.direction_marks))
        }
        FieldType::Email | FieldType::Phone | FieldType::Url | FieldType::Handle => {
            given.as_str().map(|text| normalised(text, &RULES.invisible_marks))
        }
        _ => given.as_str().map(|text| normalised(text, &RULES.direction_marks)),
    };
    value.ok_or_else(|| Error::wrong_type(&field.name))
}

/// A JSON number without a fraction, which may be written with one: `357.0` is an integer of JSON Schema.
pub fn whole_number(given: &Json) -> Option<i64> {
    // Beyond that, not every whole number is a float.
    const MOST: f64 = (1_u64 << 53) as f64;
    let from_float = |number: &f64| number.fract() == 0.0 && number.abs() <= MOST;
    given.as_i64().or_else(|| given.as_f64().filter(from_float).map(|number| number as i64))
}

/// The text composed (NFC), without white space and invisible marks around it, and without `dropped` anywhere.
fn normalised(text: &str, dropped: &HiddenCharacters) -> Value {
    // What is ASCII is composed already and has no marks.
    let composed: Cow<'_, str> = if text.is_ascii() {
        text.into()
    } else {
        text.chars().filter(|character| !dropped.contain(*character)).nfc().collect()
    };
    let is_outside = |character: char| character.is_whitespace() || RULES.invisible_marks.contain(character);
    match composed.trim_matches(is_outside) {
        "" => Value::Missing,
        trimmed => Value::Text(trimmed.to_owned()),
    }
}

fn texts(given: &Json) -> Option<Vec<String>> {
    given.as_array()?.iter().map(|item| item.as_str().map(str::to_owned)).collect()
}

/// The message of the first rule that the value breaks.
fn broken_rule(field: &Field, value: &Value, record: &Record, offered: &Offered) -> Option<String> {
    let message = || Some(field.message.clone().unwrap_or_else(|| format!("{} is not valid", field.label)));
    match value {
        Value::Missing if is_required(field, record) => message(),
        Value::Missing => None,
        Value::Text(text) => text_rule(field, text, record, offered, &message),
        Value::List(items) => {
            let distinct = items.iter().collect::<std::collections::BTreeSet<_>>().len() == items.len();
            let known = items.iter().all(|item| field.options.iter().any(|option| option.value == *item));
            let least = field.min.unwrap_or(usize::from(field.required));
            if distinct && known && items.len() >= least { None } else { message() }
        }
        Value::Flag(agreed) => {
            if *agreed || field.field_type == FieldType::Flag || !field.required {
                None
            } else {
                message()
            }
        }
        Value::Count(count) => {
            let within = usize::try_from(*count).is_ok_and(|count| {
                count >= field.min.unwrap_or(0) && count <= field.max.unwrap_or(usize::MAX)
            });
            if within { None } else { message() }
        }
    }
}

fn is_required(field: &Field, record: &Record) -> bool {
    field.required
        || field.required_from.as_ref().is_some_and(
            |from| matches!(record.get(&from.field), Some(Value::Count(count)) if *count >= from.at_least),
        )
}

fn text_rule(
    field: &Field,
    text: &str,
    record: &Record,
    offered: &Offered,
    message: &dyn Fn() -> Option<String>,
) -> Option<String> {
    if field.field_type == FieldType::Choice {
        return if offers(field, text, record, offered) { None } else { message() };
    }
    if text.chars().count() < field.min.unwrap_or(0) {
        return message();
    }
    let is_long = field.field_type == FieldType::LongText;
    let most = field.max.unwrap_or(if is_long { LONG } else { SHORT });
    unfit(text, most, is_long).or_else(|| match field.field_type {
        FieldType::Email if !is_email(text) => message(),
        FieldType::Url if !is_url(text) => message(),
        _ => None,
    })
}

/// What no text may be: longer than `most` code points, with control characters, of which only those that
/// break lines are taken and only in long texts, or with characters that nobody sees.
fn unfit(text: &str, most: usize, breaks_lines: bool) -> Option<String> {
    let may_be = |letter: char| breaks_lines && matches!(letter, '\n' | '\r' | '\t');
    if text.chars().count() > most {
        Some(RULES.messages.too_long.replace("{max}", &most.to_string()))
    } else if text.chars().any(|letter| letter.is_control() && !may_be(letter)) {
        Some(RULES.messages.control_characters.clone())
    } else if RULES.hidden_characters.are_in(text) {
        Some(RULES.messages.hidden_characters.clone())
    } else {
        None
    }
}

fn offers(field: &Field, text: &str, record: &Record, offered: &Offered) -> bool {
    match field.options_from {
        None => field.options.iter().any(|option| option.value == text),
        Some(OptionsFrom::Categories) => offered.categories.iter().any(|category| category.value == text),
        Some(OptionsFrom::Subcategories) => {
            let category = field.of.as_deref().map_or("", |of| record.text(of));
            offered
                .categories
                .iter()
                .any(|known| known.value == category && known.subcategories.iter().any(|sub| sub == text))
        }
    }
}
