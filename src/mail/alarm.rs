//! Tells the organiser that something needs a hand now.

use minijinja::context;

use super::{Message, blank, event, one_line, templates};
use crate::content::Content;
use crate::error::Result;

/// # Errors
/// [`crate::error::Error::Internal`] when the template cannot be rendered.
pub fn alarm(content: &Content, public_url: &str, sentence: &str, to: &str) -> Result<Message> {
    let subject = one_line(&format!("{}: the website needs your help", content.event.name));
    let (text, html) = templates::render(
        "alarm",
        &context! {
            subject,
            sentence,
            event => event(content, public_url),
            mail => context! { footer => "You get this mail because your address is reports.recipient in the settings." },
        },
    )?;
    Ok(Message { to: to.to_owned(), subject, text, html, ..blank(public_url) })
}
