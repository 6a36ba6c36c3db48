//! The email that invites somebody from the waitlist to enter.

use chrono::DateTime;
use minijinja::context;

use super::{Message, compose_text, link};
use crate::error::Result;
use crate::forms::Record;
use crate::site::content::Content;

/// `token` is that of the personal link, and `holds_until` a stored instant.
pub fn invitation(
    content: &Content,
    public_url: &str,
    record: &Record,
    token: &str,
    holds_until: &str,
) -> Result<Message> {
    let text = content.mail.text("invitation", &content.mail.invitation);
    let until = until(holds_until, content);
    // The token is in the fragment, which browsers do not send: it is in no log and in no Referer.
    let url = format!("{public_url}/enter-competition#invitation={token}");
    let more = context! { link => link(&content.apply.entry.title, &url) };
    compose_text(content, public_url, record, &text, &[("until", &until)], more)
}

/// A stored instant for people: `March 3, 2026, 6:00 PM (Eastern Time)`.
fn until(stored: &str, content: &Content) -> String {
    let event = &content.event;
    match DateTime::parse_from_rfc3339(stored) {
        Ok(instant) => {
            let local = event.time_zone.at(instant.to_utc()).format("%B %-d, %Y, %-I:%M %p");
            format!("{local} ({})", event.time_zone_label)
        }
        Err(_) => stored.to_owned(),
    }
}
