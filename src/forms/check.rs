//! Parses a request's JSON into a record, and reports every broken rule at once.

use std::borrow::Cow;

use serde_json::Value as Json;
use unicode_normalization::UnicodeNormalization;

use super::address::{is_email, is_url};
use super::hidden::CodePoints;
use super::{Field, FieldType, Offered, OptionsFrom, RULES, Record, Value, form};
use crate::error::{Error, FieldErrors, Result};
use crate::model::Kind;

/// The maximum length of a text whose field sets none (docs/reference.md, "Formats"), in code points.
const MAX_TEXT: usize = 200;
/// The same for a long text.
pub(super) const MAX_LONG_TEXT: usize = 10_000;

/// Checks a request's JSON against its form and normalises it (NFC, trimmed, without invisible marks).
///
/// # Errors
/// [`Error::Malformed`] when it is not an object or a field has the wrong JSON type;
/// [`Error::Invalid`] with a message for every field that breaks a rule.
pub fn parse(kind: Kind, body: &Json, offered: &Offered) -> Result<Record> {
    parse_with(kind, body, offered, |_| Ok(FieldErrors::new()))
}

/// Like [`parse`], with the additional rules in `more`. `more` runs even if the record breaks the form's own rules. If both
/// have a message for a field, the form's is used.
pub fn parse_with(
    kind: Kind,
    body: &Json,
    offered: &Offered,
    more: impl FnOnce(&Record) -> Result<FieldErrors>,
) -> Result<Record> {
    let object = body.as_object().ok_or_else(Error::not_an_object)?;
    let form = form(kind);
    let mut values = Vec::new();
    for field in form.fields() {
        values.push(read(field, object.get(&field.name))?);
    }
    let record = Record { kind, values };
    let mut errors = more(&record)?;
    errors.extend(broken_rules(&record, offered).map(|(field, message)| (field.name.clone(), message)));
    if errors.is_empty() { Ok(record) } else { Err(Error::Invalid(errors)) }
}

/// Replaces some answers of a stored record; returns the new record and the rules that it breaks. `null` empties a field.
/// An answer that is not replaced may go on breaking a rule, for example because the event no longer offers that option.
///
/// # Errors
/// [`Error::Malformed`] for a value of the wrong JSON type; [`Error::Invalid`] if a name is not a field of the form.
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
    record.fields().filter_map(|(field, value)| Some((field, broken_rule(field, value, record, offered)?)))
}

/// Like [`parse`], but checks only the named fields. The others are missing in the record. A body that is not an object has
/// no fields.
pub fn parse_part(kind: Kind, body: &Json, offered: &Offered, names: &[&str]) -> Result<Record> {
    let values = form(kind).fields().map(|field| {
        let is_named = names.contains(&field.name.as_str());
        read(field, body.get(&field.name).filter(|_| is_named))
    });
    let record = Record { kind, values: values.collect::<Result<_>>()? };
    let errors: FieldErrors = broken_rules(&record, offered)
        .filter(|(field, _)| names.contains(&field.name.as_str()))
        .map(|(field, message)| (field.name.clone(), message))
        .collect();
    if errors.is_empty() { Ok(record) } else { Err(Error::Invalid(errors)) }
}

/// Checks and normalises a long text that is not in a form, such as an organiser's note. Returns `None` if it is empty.
///
/// # Errors
/// [`Error::Invalid`] on `name` when it is too long or has control or hidden characters.
pub fn free_text(name: &str, text: &str) -> Result<Option<String>> {
    checked(name, text, MAX_LONG_TEXT, FieldType::LongText)
}

/// Like [`free_text`], for one line of at most `max` characters, such as a guest's name.
///
/// # Errors
/// Those of [`free_text`].
pub fn free_line(name: &str, text: &str, max: usize) -> Result<Option<String>> {
    checked(name, text, max, FieldType::Text)
}

/// Like [`free_text`], for a required reason of at most `max` characters.
///
/// # Errors
/// [`Error::Invalid`] on `reason`.
pub fn reason(text: &str, max: usize) -> Result<String> {
    checked("reason", text, max, FieldType::LongText)?
        .ok_or_else(|| Error::field("reason", "Please give a reason"))
}

fn checked(name: &str, text: &str, max: usize, field_type: FieldType) -> Result<Option<String>> {
    let text = normalise(&text.replace("\r\n", "\n"), &RULES.direction_marks);
    let Value::Text(text) = text else { return Ok(None) };
    match text_problem(&text, max, field_type) {
        Some(message) => Err(Error::field(name, &message)),
        None => Ok(Some(text)),
    }
}

/// The text without hidden characters, for what cannot be refused. `None` if there is nothing to see.
pub fn visible_text(text: &str) -> Option<String> {
    match normalise(text, &RULES.hidden_characters) {
        Value::Text(text) if !text.chars().all(super::hidden::only_modifies) => Some(text),
        _ => None,
    }
}

/// Converts a field's JSON to its value. Fails only if the JSON type is wrong.
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
            given.as_str().map(|text| normalise(&text.replace("\r\n", "\n"), &RULES.direction_marks))
        }
        FieldType::Email | FieldType::Phone | FieldType::Url | FieldType::Handle => {
            given.as_str().map(|text| normalise(text, &RULES.invisible_marks))
        }
        _ => given.as_str().map(|text| normalise(text, &RULES.direction_marks)),
    };
    value.ok_or_else(|| Error::wrong_type(&field.name))
}

/// The integer in a JSON value. `357.0` counts as an integer, as in JSON Schema.
pub fn whole_number(given: &Json) -> Option<i64> {
    // Beyond 2^53, a float cannot represent every integer.
    const MAX_EXACT: f64 = (1_u64 << 53) as f64;
    let from_float = |number: &f64| number.fract() == 0.0 && number.abs() <= MAX_EXACT;
    given.as_i64().or_else(|| given.as_f64().filter(from_float).map(|number| number as i64))
}

/// Composes the text (NFC), trims white space and invisible marks, and removes `dropped` everywhere.
fn normalise(text: &str, dropped: &CodePoints) -> Value {
    // ASCII text is already composed and has no marks.
    let composed: Cow<'_, str> = if text.is_ascii() {
        text.into()
    } else {
        text.chars().filter(|character| !dropped.contains(*character)).nfc().collect()
    };
    let is_trimmed = |character: char| character.is_whitespace() || RULES.invisible_marks.contains(character);
    match composed.trim_matches(is_trimmed) {
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
            let min = field.min.unwrap_or(usize::from(field.required));
            if distinct && known && items.len() >= min { None } else { message() }
        }
        Value::Flag(false) if field.field_type == FieldType::Consent && field.required => message(),
        Value::Flag(_) => None,
        Value::Count(count) => {
            let within = usize::try_from(*count).is_ok_and(|count| {
                count >= field.min.unwrap_or(0) && count <= field.max.unwrap_or(usize::MAX)
            });
            if within { None } else { message() }
        }
    }
}

impl Field {
    /// The most characters of a text, after trimming.
    pub(super) fn max_length(&self) -> usize {
        let is_long = self.field_type == FieldType::LongText;
        self.max.unwrap_or(if is_long { MAX_LONG_TEXT } else { MAX_TEXT })
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
        return if is_offered(field, text, record, offered) { None } else { message() };
    }
    if text.chars().count() < field.min.unwrap_or(0) {
        return message();
    }
    text_problem(text, field.max_length(), field.field_type).or_else(|| match field.field_type {
        FieldType::Email if !is_email(text) => message(),
        FieldType::Url if !is_url(text) => message(),
        _ => None,
    })
}

/// The rules for every text: at most `max` code points, no hidden characters, and no control characters except the line
/// breaks and tabs of a long text.
fn text_problem(text: &str, max: usize, field_type: FieldType) -> Option<String> {
    let is_allowed = |c: char| field_type == FieldType::LongText && matches!(c, '\n' | '\r' | '\t');
    if text.chars().count() > max {
        Some(RULES.messages.too_long.replace("{max}", &max.to_string()))
    } else if text.chars().any(|c| c.is_control() && !is_allowed(c)) {
        Some(RULES.messages.control_characters.clone())
    } else if RULES.hidden_characters.found_in(text) {
        Some(RULES.messages.hidden_characters.clone())
    } else {
        None
    }
}

fn is_offered(field: &Field, text: &str, record: &Record, offered: &Offered) -> bool {
    match field.options_from {
        None => field.options.iter().any(|option| option.value == text),
        Some(OptionsFrom::Categories) => offered.categories.iter().any(|category| category.value == text),
        Some(OptionsFrom::Subcategories) => {
            let category = field.category_field.as_deref().map_or("", |name| record.text(name));
            offered
                .categories
                .iter()
                .any(|known| known.value == category && known.subcategories.iter().any(|sub| sub == text))
        }
    }
}
