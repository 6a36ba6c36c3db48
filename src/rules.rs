//! The rules of every form, read from `rules.json`, which the browser reads too.
//!
//! [`parse`] is the only way from a request's JSON to a [`Record`], so whatever is stored has passed
//! every rule. Left out on purpose: what the organiser may change (categories, prices, openings),
//! which is content and comes in as [`Offered`].

use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::Value as Json;
use unicode_normalization::UnicodeNormalization;

use crate::error::{Error, FieldErrors, Result};
use crate::model::Kind;

/// Limits of a text whose field names none (contract, section 4), in code points.
const SHORT: usize = 200;
const LONG: usize = 10_000;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Rules {
    messages: Messages,
    forms: Vec<Form>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Messages {
    too_long: String,
    control_characters: String,
}

/// One kind's form, as people see it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Form {
    kind: String,
    /// What one registration of this kind is called: 'Speaker application'.
    pub name: String,
    /// The kind's key in the export summary (contract, section 3).
    pub summary_key: String,
    pub sections: Vec<Section>,
}

#[derive(Deserialize)]
pub struct Section {
    pub title: String,
    pub fields: Vec<Field>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Field {
    /// The JSON name, camelCase.
    pub name: String,
    #[serde(rename = "type")]
    pub shape: Shape,
    pub label: String,
    #[serde(default)]
    required: bool,
    min: Option<usize>,
    max: Option<usize>,
    message: Option<String>,
    default: Option<Json>,
    #[serde(default)]
    pub options: Vec<Choice>,
    options_from: Option<OptionsFrom>,
    /// For subcategories: the field that holds their category.
    of: Option<String>,
    /// Required only from this value of another field on.
    required_from: Option<RequiredFrom>,
}

#[derive(Deserialize)]
pub struct Choice {
    pub value: String,
    pub label: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Shape {
    Text,
    LongText,
    Email,
    Phone,
    Url,
    Handle,
    Choice,
    Choices,
    Consent,
    Flag,
    Count,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
enum OptionsFrom {
    Categories,
    Subcategories,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RequiredFrom {
    field: String,
    at_least: i64,
}

/// The choices that come from the event's content.
#[derive(Debug, Default, Clone)]
pub struct Offered {
    pub categories: Vec<OfferedCategory>,
}

#[derive(Debug, Clone)]
pub struct OfferedCategory {
    pub value: String,
    pub subcategories: Vec<String>,
}

/// One value that has passed its rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    Missing,
    Text(String),
    List(Vec<String>),
    Flag(bool),
    Count(i64),
}

/// A registration that has passed every rule: one value a field, in the order of its form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    kind: Kind,
    values: Vec<Value>,
}

impl Record {
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Every field with its value.
    pub fn fields(&self) -> impl Iterator<Item = (&'static Field, &Value)> {
        form(self.kind).fields().zip(&self.values)
    }

    /// The text of a field; empty where it is missing or not a text.
    pub fn text(&self, name: &str) -> &str {
        match self.get(name) {
            Some(Value::Text(text)) => text,
            _ => "",
        }
    }

    /// The person to write to, and the address.
    pub fn person(&self) -> (&str, &str) {
        let name = ["name", "contactName", "company"]
            .into_iter()
            .map(|field| self.text(field))
            .find(|text| !text.is_empty())
            .unwrap_or_default();
        (name, self.text("email"))
    }

    fn get(&self, name: &str) -> Option<&Value> {
        self.fields().find(|(field, _)| field.name == name).map(|(_, value)| value)
    }
}

impl Form {
    /// Every field, in the order of the form.
    pub fn fields(&self) -> impl Iterator<Item = &Field> {
        self.sections.iter().flat_map(|section| &section.fields)
    }
}

impl Field {
    /// The field's column in the database: `topicProposal` is kept in `topic_proposal`.
    pub fn column(&self) -> String {
        let mut column = String::with_capacity(self.name.len() + 4);
        for letter in self.name.chars() {
            if letter.is_ascii_uppercase() {
                column.push('_');
            }
            column.push(letter.to_ascii_lowercase());
        }
        column
    }

    /// What a person reads for a stored value: an option's label, else the value itself.
    pub fn shown(&self, value: &str) -> String {
        self.options
            .iter()
            .find(|option| option.value == value)
            .map_or_else(|| value.to_owned(), |option| option.label.clone())
    }
}

static RULES: LazyLock<Rules> = LazyLock::new(|| {
    serde_json::from_str(include_str!("rules.json")).expect("rules.json holds the rules of every form")
});

/// The form of a kind.
pub fn form(kind: Kind) -> &'static Form {
    RULES.forms.iter().find(|form| form.kind == kind.as_str()).expect("rules.json has a form for every kind")
}

/// Checks a request's JSON against its form and normalises it (NFC, trimmed).
///
/// # Errors
/// [`Error::Malformed`] when it is not an object or a field has the wrong JSON type;
/// [`Error::Invalid`] with every field that breaks a rule.
pub fn parse(kind: Kind, body: &Json, offered: &Offered) -> Result<Record> {
    let object =
        body.as_object().ok_or_else(|| Error::Malformed("Please send one JSON object.".to_owned()))?;
    let form = form(kind);
    let mut values = Vec::new();
    for field in form.fields() {
        values.push(read(field, object.get(&field.name))?);
    }
    let record = Record { kind, values };
    let errors: FieldErrors = record
        .fields()
        .filter_map(|(field, value)| {
            broken_rule(field, value, &record, offered).map(|message| (field.name.clone(), message))
        })
        .collect();
    if errors.is_empty() { Ok(record) } else { Err(Error::Invalid(errors)) }
}

/// The field's JSON in its own shape; only the JSON type can be wrong here.
fn read(field: &Field, given: Option<&Json>) -> Result<Value> {
    let given = match given {
        None | Some(Json::Null) => field.default.as_ref(),
        given => given,
    };
    let Some(given) = given else {
        return Ok(if field.shape == Shape::Flag { Value::Flag(false) } else { Value::Missing });
    };
    let value = match field.shape {
        Shape::Flag | Shape::Consent => given.as_bool().map(Value::Flag),
        Shape::Count => given.as_i64().map(Value::Count),
        Shape::Choices => texts(given).map(Value::List),
        Shape::LongText => given.as_str().map(|text| normalised(&text.replace("\r\n", "\n"))),
        _ => given.as_str().map(normalised),
    };
    value.ok_or_else(|| {
        Error::Malformed(format!("The field '{}' has a value of the wrong JSON type.", field.name))
    })
}

fn normalised(text: &str) -> Value {
    let composed: String = text.nfc().collect();
    match composed.trim() {
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
            if *agreed || field.shape == Shape::Flag || !field.required {
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
    if field.shape == Shape::Choice {
        return if offers(field, text, record, offered) { None } else { message() };
    }
    let length = text.chars().count();
    if length < field.min.unwrap_or(0) {
        return message();
    }
    let most = field.max.unwrap_or(if field.shape == Shape::LongText { LONG } else { SHORT });
    if length > most {
        return Some(RULES.messages.too_long.replace("{max}", &most.to_string()));
    }
    let breaks_lines = |letter: char| field.shape == Shape::LongText && matches!(letter, '\n' | '\r' | '\t');
    if text.chars().any(|letter| letter.is_control() && !breaks_lines(letter)) {
        return Some(RULES.messages.control_characters.clone());
    }
    match field.shape {
        Shape::Email if !is_email(text) => message(),
        Shape::Url if !is_url(text) => message(),
        _ => None,
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

/// An address that every mail server takes: ASCII, a dotted local part, a domain of two labels or more.
fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.split_once('@') else { return false };
    let letter = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+/=?^_`{|}~-".contains(&byte);
    let local_is_right =
        local.len() <= 64 && local.split('.').all(|atom| !atom.is_empty() && atom.bytes().all(letter));
    let labels: Vec<&str> = domain.split('.').collect();
    let label_is_right = |label: &&str| {
        (1..=63).contains(&label.len())
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    let last = labels.last().copied().unwrap_or_default();
    local_is_right
        && labels.len() >= 2
        && labels.iter().all(label_is_right)
        && last.len() >= 2
        && !last.bytes().all(|byte| byte.is_ascii_digit())
}

/// An absolute http(s) address with a host (contract, section 4).
fn is_url(text: &str) -> bool {
    let scheme_is_written = ["http://", "https://"]
        .iter()
        .any(|scheme| text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)));
    scheme_is_written
        && !text.chars().any(char::is_whitespace)
        && url::Url::parse(text).is_ok_and(|url| url.has_host())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[derive(Deserialize)]
    struct Vector {
        name: String,
        kind: String,
        input: Json,
        errors: FieldErrors,
        #[serde(default)]
        stored: BTreeMap<String, Json>,
    }

    #[test]
    fn the_shared_vectors_hold() {
        let vectors: Vec<Vector> =
            serde_json::from_str(include_str!("../tests/vectors/rules.json")).expect("the vectors");
        assert!(vectors.len() > 50);
        for vector in vectors {
            let kind = vector.kind.parse().expect("a kind");
            match parse(kind, &vector.input, &Offered::default()) {
                Ok(record) => {
                    assert!(vector.errors.is_empty(), "{}: accepted", vector.name);
                    for (name, stored) in vector.stored {
                        let value = record.get(&name).expect("a field");
                        assert_eq!(as_json(value), stored, "{}: {name}", vector.name);
                    }
                }
                Err(Error::Invalid(errors)) => assert_eq!(errors, vector.errors, "{}", vector.name),
                Err(error) => panic!("{}: {error}", vector.name),
            }
        }
    }

    fn as_json(value: &Value) -> Json {
        match value {
            Value::Missing => Json::Null,
            Value::Text(text) => Json::from(text.as_str()),
            Value::List(items) => Json::from(items.clone()),
            Value::Flag(flag) => Json::from(*flag),
            Value::Count(count) => Json::from(*count),
        }
    }

    #[test]
    fn a_wrong_json_type_is_not_a_broken_rule() {
        for body in ["[]", "3", "\"text\"", r#"{"name": 3}"#, r#"{"wantToCompete": "yes"}"#] {
            let body = serde_json::from_str(body).expect("JSON");
            let refused = parse(Kind::WaitlistSignups, &body, &Offered::default());
            assert!(matches!(refused, Err(Error::Malformed(_))), "{body}");
        }
    }

    #[test]
    fn every_kind_has_its_form_and_its_columns() {
        let connection = rusqlite::Connection::open_in_memory().expect("a database");
        connection.execute_batch(include_str!("../schema.sql")).expect("the schema");
        for kind in Kind::ALL {
            let columns: Vec<String> = form(kind).fields().map(Field::column).collect();
            let sql = format!("select {} from {}", columns.join(", "), kind.as_str().replace('-', "_"));
            connection.prepare(&sql).unwrap_or_else(|error| panic!("{kind}: {error}"));
        }
    }

    proptest::proptest! {
        #[test]
        fn an_accepted_address_can_be_written_to(local in "[a-zA-Z0-9.'+_-]{1,12}", domain in "[a-z0-9.-]{1,15}") {
            let address = format!("{local}@{domain}");
            if is_email(&address) {
                proptest::prop_assert!(address.parse::<lettre::Address>().is_ok(), "{}", address);
            }
        }

        #[test]
        fn no_text_makes_the_rules_panic(text in "\\PC{0,40}") {
            let body = serde_json::json!({"name": text, "email": text, "instagram": text});
            let _ = parse(Kind::WaitlistSignups, &body, &Offered::default());
        }
    }
}
