//! The answers of a registration, by the sections and labels of its form.

use std::borrow::Cow;

use serde::Serialize;

use super::plain;
use crate::forms::{Field, FieldType, Record, Value, form};
use crate::model::Kind;
use crate::site::content::Content;

/// The field whose row shows all categories of an entry.
const CATEGORIES: &str = "primaryCategory";
/// Fields without a row of their own, because the row of [`CATEGORIES`] shows them.
const IN_CATEGORIES: [&str; 6] = [
    "subCategory",
    "additionalCategories",
    "additionalCategory1",
    "additionalCategory1Sub",
    "additionalCategory2",
    "additionalCategory2Sub",
];

/// Who reads the answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reader {
    /// The owner of the address that was typed, who may be a stranger: only short answers, without links.
    Sender,
    /// All answers in full.
    Organiser,
}

#[derive(Serialize)]
pub struct Section<'a> {
    title: &'static str,
    fields: Vec<Answer<'a>>,
}

#[derive(Serialize)]
struct Answer<'a> {
    label: &'static str,
    value: Cow<'a, str>,
    /// Shown on one line with its label.
    short: bool,
    /// Typed by a stranger: the template keeps mail programs from making links of it.
    typed: bool,
}

/// The answers of a registration, without empty ones.
pub fn sections<'a>(content: &'a Content, record: &'a Record, reader: Reader) -> Vec<Section<'a>> {
    let mut values = record.fields();
    let mut sections = Vec::new();
    for section in &form(record.kind()).sections {
        let fields = values.by_ref().take(section.fields.len());
        let fields: Vec<_> =
            fields.filter_map(|(field, value)| answer(content, record, reader, field, value)).collect();
        if !fields.is_empty() {
            sections.push(Section { title: &section.title, fields });
        }
    }
    sections
}

/// `None` if the field has no answer, or if another part of the email shows it.
fn answer<'a>(
    content: &'a Content,
    record: &'a Record,
    reader: Reader,
    field: &'static Field,
    value: &'a Value,
) -> Option<Answer<'a>> {
    if is_shown_elsewhere(record.kind(), field) {
        return None;
    }
    let is_of_sender = reader == Reader::Sender;
    let typed = is_of_sender && matches!(value, Value::Text(text) if is_typed(content, field, text));
    let value = match value {
        Value::Missing => return None,
        Value::Text(_) if field.name == CATEGORIES => content.nominations(record).join(", ").into(),
        Value::Text(text) if typed => plain::answer(text).into(),
        Value::Text(text) => content.answer_label(field, text).into(),
        Value::List(items) => {
            items.iter().map(|item| field.label_of(item)).collect::<Vec<_>>().join(", ").into()
        }
        Value::Flag(yes) => if *yes { "Yes" } else { "No" }.into(),
        Value::Count(count) => count.to_string().into(),
    };
    let label = if field.name == CATEGORIES { "Categories" } else { &field.label };
    let short = field.field_type != FieldType::LongText || is_of_sender;
    Some(Answer { label, value, short, typed })
}

/// Whether a text was typed and not chosen. The recipient's own address does not count as typed.
fn is_typed(content: &Content, field: &'static Field, text: &str) -> bool {
    content.answer_label(field, text) == text
        && !matches!(field.field_type, FieldType::Email | FieldType::Choice)
}

/// Whether a field needs no row: it is in the row of categories, or it is an entry's consent, which the receipt lists.
fn is_shown_elsewhere(kind: Kind, field: &Field) -> bool {
    let is_agreement = kind == Kind::CompetitionEntries && field.field_type == FieldType::Consent;
    is_agreement || IN_CATEGORIES.contains(&field.name.as_str())
}
