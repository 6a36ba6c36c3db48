//! The email that says which answers of a registration were corrected.

use minijinja::context;
use serde::Serialize;

use super::{Message, compose, greeting, kind_in_a_sentence, plain};
use crate::error::Result;
use crate::forms::Record;
use crate::site::content::Content;

/// A corrected answer.
#[derive(Debug, Clone, Copy)]
pub struct Changed<'a> {
    pub label: &'a str,
    /// The old answer, unless the email must not name it.
    pub from: Option<&'a str>,
    pub to: &'a str,
}

#[derive(Serialize)]
struct Row<'a> {
    label: &'a str,
    from: Option<String>,
    to: String,
}

pub fn correction(
    content: &Content,
    public_url: &str,
    record: &Record,
    changes: &[Changed<'_>],
) -> Result<Message> {
    let (_, address) = record.person();
    let subject = format!("We corrected your {}", kind_in_a_sentence(record.kind()));
    let changes: Vec<Row<'_>> = changes
        .iter()
        .map(|change| Row { label: change.label, from: change.from.map(answer), to: answer(change.to) })
        .collect();
    let values = context! { greeting => greeting(content, record), changes };
    compose(content, public_url, address, subject, "correction", values)
}

fn answer(text: &str) -> String {
    if text.is_empty() { "(empty)".to_owned() } else { plain::answer(text) }
}
