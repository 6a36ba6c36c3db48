//! What a person sent, as its form names it.

use std::borrow::Cow;

use serde::Serialize;

use super::plain;
use crate::forms::{Field, Record, Shape, Value, form};
use crate::model::Kind;
use crate::site::content::Content;

/// The field in whose place all categories of an entry stand, in one row.
const CATEGORIES: &str = "primaryCategory";
/// What stands in that row, too.
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
    /// Whoever has the address that was typed: only short answers, and no link in them.
    Sender,
    Organiser,
}

#[derive(Serialize)]
pub struct Section<'a> {
    title: &'static str,
    fields: Vec<Shown<'a>>,
}

#[derive(Serialize)]
struct Shown<'a> {
    label: &'static str,
    value: Cow<'a, str>,
    /// Fits on a line with its label.
    short: bool,
    /// What a stranger typed, of which no mail program is to make a link.
    typed: bool,
}

/// What was sent, as its form names it; what was left empty is left out.
pub fn sections<'a>(content: &'a Content, record: &'a Record, reader: Reader) -> Vec<Section<'a>> {
    let mut values = record.fields();
    form(record.kind())
        .sections
        .iter()
        .map(|section| Section {
            title: &section.title,
            fields: values
                .by_ref()
                .take(section.fields.len())
                .filter(|(field, _)| !is_said_elsewhere(record.kind(), field))
                .filter_map(|(field, value)| {
                    let is_of_sender = reader == Reader::Sender;
                    let typed =
                        is_of_sender && matches!(value, Value::Text(text) if is_typed(content, field, text));
                    let value = match value {
                        Value::Missing => return None,
                        Value::Text(_) if field.name == CATEGORIES => {
                            content.nominations(record).join(", ").into()
                        }
                        Value::Text(text) if typed => plain::answer(text).into(),
                        Value::Text(text) => label(content, field, text).into(),
                        Value::List(items) => {
                            items.iter().map(|item| field.shown(item)).collect::<Vec<_>>().join(", ").into()
                        }
                        Value::Flag(yes) => if *yes { "Yes" } else { "No" }.into(),
                        Value::Count(count) => count.to_string().into(),
                    };
                    let label = if field.name == CATEGORIES { "Categories" } else { &field.label };
                    let short = field.shape != Shape::LongText || is_of_sender;
                    Some(Shown { label, value, short, typed })
                })
                .collect(),
        })
        .filter(|section: &Section<'_>| !section.fields.is_empty())
        .collect()
}

/// Whether a text is what somebody typed, and not a choice; the address that the mail goes to may be shown as it is.
fn is_typed(content: &Content, field: &'static Field, text: &str) -> bool {
    label(content, field, text) == text && !matches!(field.shape, Shape::Email | Shape::Choice)
}

/// What stands in the row of all categories; and an entry's boxes, as a receipt names the texts that were agreed to.
fn is_said_elsewhere(kind: Kind, field: &Field) -> bool {
    let is_agreement = kind == Kind::CompetitionEntries && field.shape == Shape::Consent;
    is_agreement || IN_CATEGORIES.contains(&field.name.as_str())
}

/// What a person reads for a stored value: the label of a choice, whether the form has it or the content.
fn label<'a>(content: &'a Content, field: &'static Field, value: &'a str) -> &'a str {
    content.answer_label(field, value)
}
