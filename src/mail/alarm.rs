//! The email to the organiser about something that needs attention now.

use minijinja::context;

use super::{Body, Event, Message, blank, one_line};
use crate::error::Result;
use crate::site::content::Content;

/// # Errors
/// [`crate::error::Error::Internal`] if its values cannot be serialised.
pub fn alarm(content: &Content, public_url: &str, sentence: &str, to: &str) -> Result<Message> {
    let subject = one_line(&format!("The website needs your help: {}", content.event.name));
    let body = Body::new(
        "alarm",
        &context! {
            subject,
            sentence,
            event => Event::new(content, public_url),
            mail => context! { footer => "You are receiving this email because the event's reports go to this address." },
        },
    )?;
    Ok(Message { to: to.to_owned(), subject, body, ..blank(public_url) })
}
