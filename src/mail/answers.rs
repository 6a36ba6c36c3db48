//! What a person sent, as its form names it.

use std::borrow::Cow;

use serde::Serialize;

use crate::content::Content;
use crate::model::Kind;
use crate::rules::{Field, Record, Shape, Value, form};

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
pub fn sections<'a>(content: &'a Content, record: &'a Record) -> Vec<Section<'a>> {
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
                    let value = match value {
                        Value::Missing => return None,
                        Value::Text(_) if field.name == CATEGORIES => {
                            content.nominations(record).join(", ").into()
                        }
                        Value::Text(text) => label(content, field, text).into(),
                        Value::List(items) => {
                            items.iter().map(|item| field.shown(item)).collect::<Vec<_>>().join(", ").into()
                        }
                        Value::Flag(yes) => if *yes { "Yes" } else { "No" }.into(),
                        Value::Count(count) => count.to_string().into(),
                    };
                    let label = if field.name == CATEGORIES { "Categories" } else { &field.label };
                    Some(Shown { label, value, short: field.shape != Shape::LongText })
                })
                .collect(),
        })
        .filter(|section: &Section<'_>| !section.fields.is_empty())
        .collect()
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
