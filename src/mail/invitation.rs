//! The email that invites somebody from the waitlist to enter.

use chrono::DateTime;
use minijinja::context;

use super::{Message, compose_text, link};
use crate::error::Result;
use crate::forms::Record;
use crate::site::content::Content;
use crate::time::Zone;

/// `token` is that of the personal link, and `holds_until` a stored instant.
///
/// # Errors
/// [`crate::error::Error::Internal`] if its values cannot be serialised.
pub fn invitation(
    content: &Content,
    public_url: &str,
    record: &Record,
    token: &str,
    holds_until: &str,
) -> Result<Message> {
    let text = content.mail.text("invitation", &content.mail.invitation);
    let until = until(holds_until, &content.event.time_zone);
    // The token is in the fragment, which browsers do not send: it is in no log and in no Referer.
    let url = format!("{public_url}/enter-competition#invitation={token}");
    let more = context! { link => link(&content.apply.entry.title, &url) };
    compose_text(content, public_url, record, &text, &[("until", &until)], more)
}

/// A stored instant for people: `March 3, 2026, 6:00 PM`.
fn until(stored: &str, zone: &Zone) -> String {
    match DateTime::parse_from_rfc3339(stored) {
        Ok(instant) => zone.at(instant.to_utc()).format("%B %-d, %Y, %-I:%M %p").to_string(),
        Err(_) => stored.to_owned(),
    }
}
