//! The organiser's instant notice of a registration.

use minijinja::context;

use super::{Body, Event, Message, answers, blank, one_line};
use crate::content::Content;
use crate::error::Result;
use crate::rules::{Record, form};

/// Tells the organiser what has just come in.
///
/// # Errors
/// [`crate::error::Error::Internal`] when its words cannot be written.
pub fn notice(content: &Content, public_url: &str, record: &Record, to: &str) -> Result<Message> {
    let (person, _) = record.person();
    let kind = &form(record.kind()).name;
    let subject = one_line(&format!("{kind}: {person}"));
    let body = Body::of(
        "notice",
        &context! {
            subject,
            kind,
            person,
            sections => answers::sections(content, record),
            event => Event::of(content, public_url),
            mail => context! { footer => "You asked to be told about each registration." },
        },
    )?;
    Ok(Message { to: to.to_owned(), subject, body, ..blank(public_url) })
}
