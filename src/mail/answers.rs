//! What a person sent, as its form names it.

use std::borrow::Cow;

use serde::Serialize;

use super::plain;
use crate::content::Content;
use crate::rules::{Field, Record, Shape, Value, form};

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
                .filter_map(|(field, value)| {
                    let value = match value {
                        Value::Missing => return None,
                        Value::Text(text) => shown(content, field, text, reader),
                        Value::List(items) => {
                            items.iter().map(|item| field.shown(item)).collect::<Vec<_>>().join(", ").into()
                        }
                        Value::Flag(yes) => if *yes { "Yes" } else { "No" }.into(),
                        Value::Count(count) => count.to_string().into(),
                    };
                    let short = field.shape != Shape::LongText || reader == Reader::Sender;
                    Some(Shown { label: &field.label, value, short })
                })
                .collect(),
        })
        .filter(|section: &Section<'_>| !section.fields.is_empty())
        .collect()
}

/// What the reader gets to see of a text. The address that the mail goes to is shown as it is.
fn shown<'a>(content: &'a Content, field: &'static Field, text: &'a str, reader: Reader) -> Cow<'a, str> {
    let label = label(content, field, text);
    let is_typed = label == text && !matches!(field.shape, Shape::Email | Shape::Choice);
    if reader == Reader::Sender && is_typed { plain::answer(text).into() } else { label.into() }
}

/// What a person reads for a stored value: the label of a choice, whether the form has it or the content.
fn label<'a>(content: &'a Content, field: &'static Field, value: &'a str) -> &'a str {
    let category = || content.categories.iter().find(|category| category.slug == value);
    let place = || content.pricing.tax_locations.iter().find(|location| location.value == value);
    let of_content = match field.name.as_str() {
        "primaryCategory" | "additionalCategory1" | "additionalCategory2" => {
            category().map(|category| category.label.as_str())
        }
        "taxLocation" => place().map(|location| location.label.as_str()),
        _ => None,
    };
    of_content.unwrap_or_else(|| field.shown(value))
}
