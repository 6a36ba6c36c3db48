//! What a person sent, as its form names it.

use serde::Serialize;

use crate::content::Content;
use crate::rules::{Field, Record, Shape, Value, form};

#[derive(Serialize)]
pub struct Section {
    title: &'static str,
    fields: Vec<Shown>,
}

#[derive(Serialize)]
struct Shown {
    label: &'static str,
    value: String,
    /// Fits on a line with its label.
    short: bool,
}

/// What was sent, as its form names it; what was left empty is left out.
pub fn sections(content: &Content, record: &Record) -> Vec<Section> {
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
                        Value::Text(text) => label(content, field, text),
                        Value::List(items) => {
                            items.iter().map(|item| field.shown(item)).collect::<Vec<_>>().join(", ")
                        }
                        Value::Flag(yes) => if *yes { "Yes" } else { "No" }.to_owned(),
                        Value::Count(count) => count.to_string(),
                    };
                    Some(Shown { label: &field.label, value, short: field.shape != Shape::LongText })
                })
                .collect(),
        })
        .filter(|section: &Section| !section.fields.is_empty())
        .collect()
}

/// What a person reads for a stored value: the label of a choice, whether the form has it or the content.
fn label(content: &Content, field: &Field, value: &str) -> String {
    let category = || content.categories.iter().find(|category| category.slug == value);
    let place = || content.pricing.tax_locations.iter().find(|location| location.value == value);
    let of_content = match field.name.as_str() {
        "primaryCategory" | "additionalCategory1" | "additionalCategory2" => {
            category().map(|category| category.label.clone())
        }
        "taxLocation" => place().map(|location| location.label.clone()),
        _ => None,
    };
    of_content.unwrap_or_else(|| field.shown(value))
}
