//! What a person sent, as its form names it.

use serde::Serialize;

use crate::rules::{Record, Shape, Value, form};

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
pub fn sections(record: &Record) -> Vec<Section> {
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
                        Value::Text(text) => field.shown(text),
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
