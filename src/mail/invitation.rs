//! The email that invites somebody from the waitlist to enter.

use chrono::DateTime;
use minijinja::context;

use super::decision::paragraphs;
use super::{Body, Closing, Event, Message, blank, greeting, one_line, plain};
use crate::error::Result;
use crate::forms::Record;
use crate::site::content::Content;
use crate::site::content::placeholders::fill;
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
    let (person, address) = record.person();
    let until = until(holds_until, &content.event.time_zone);
    let values = [
        ("name", plain::greeting_name(person)),
        ("event", &content.event.name),
        ("dates", &content.event.dates),
        ("until", &until),
    ];
    let subject = one_line(&fill(&text.subject, &values));
    let closing = Closing::new(content);
    let sign_off = if text.sign_off.is_empty() { closing.sign_off } else { &text.sign_off };
    // The token is in the fragment, which browsers do not send: it is in no log and in no Referer.
    let url = format!("{public_url}/enter-competition#invitation={token}");
    let body = Body::new(
        "decision",
        &context! {
            subject,
            greeting => greeting(content, record),
            paragraphs => paragraphs(&fill(&text.body.replace('\r', ""), &values)),
            link => context! { label => content.apply.entry.title, url },
            event => Event::new(content, public_url),
            mail => Closing { sign_off, ..closing },
        },
    )?;
    Ok(Message { to: address.to_owned(), subject, body, ..blank(public_url) })
}

/// A stored instant for people: `March 3, 2026, 6:00 PM`.
fn until(stored: &str, zone: &Zone) -> String {
    match DateTime::parse_from_rfc3339(stored) {
        Ok(instant) => zone.at(instant.to_utc()).format("%B %-d, %Y, %-I:%M %p").to_string(),
        Err(_) => stored.to_owned(),
    }
}
