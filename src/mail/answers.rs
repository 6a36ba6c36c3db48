//! What a person sent, as its form names it.

use std::borrow::Cow;

use serde::Serialize;

use crate::content::Content;
use crate::rules::{Field, Record, Shape, Value, form};

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
                .filter_map(|(field, value)| {
                    let value = match value {
                        Value::Missing => return None,
                        Value::Text(text) => label(content, field, text).into(),
                        Value::List(items) => {
                            items.iter().map(|item| field.shown(item)).collect::<Vec<_>>().join(", ").into()
                        }
                        Value::Flag(yes) => if *yes { "Yes" } else { "No" }.into(),
                        Value::Count(count) => count.to_string().into(),
                    };
                    Some(Shown { label: &field.label, value, short: field.shape != Shape::LongText })
                })
                .collect(),
        })
        .filter(|section: &Section<'_>| !section.fields.is_empty())
        .collect()
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
