//! The email with which a competitor signs in to the Artist Portal.

use minijinja::context;

use super::templates::hidden;
use super::{Body, Closing, Event, Message, blank, greeting};
use crate::error::Result;
use crate::forms::Record;
use crate::site::content::Content;

/// How long a code works, in minutes.
pub const CODE_MINUTES: i64 = 10;

/// `until` is until when the link works. The link itself is made when the email leaves (`mail::outbox`).
///
/// # Errors
/// [`crate::error::Error::Internal`] if its values cannot be serialised.
pub fn artist_link(content: &Content, public_url: &str, record: &Record, until: &str) -> Result<Message> {
    let subject = "Your link to the Artist Portal".to_owned();
    let body = Body::new(
        "artist-link",
        &context! {
            subject,
            greeting => greeting(content, record),
            secret => hidden(),
            page => format!("{public_url}/artist-portal"),
            until,
            minutes => CODE_MINUTES,
            event => Event::new(content, public_url),
            mail => Closing::new(content),
        },
    )?;
    let (_, address) = record.person();
    Ok(Message { to: address.to_owned(), subject, body, ..blank(public_url) })
}
