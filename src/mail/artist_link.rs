//! The email with which a competitor signs in to the Artist Portal.

use minijinja::context;

use super::templates::hidden;
use super::{Message, compose, greeting};
use crate::error::Result;
use crate::forms::Record;
use crate::site::content::Content;

/// How long a code works, in minutes.
pub const CODE_MINUTES: i64 = 10;

/// `until` says until when the link works. The link itself is created when the email is sent (`mail::outbox`).
pub fn artist_link(content: &Content, public_url: &str, record: &Record, until: &str) -> Result<Message> {
    let subject = "Your link to the Artist Portal".to_owned();
    let values = context! {
        greeting => greeting(content, record),
        secret => hidden(),
        page => format!("{public_url}/artist-portal"),
        until,
        minutes => CODE_MINUTES,
    };
    let (_, address) = record.person();
    compose(content, public_url, address, subject, "artist-link", values)
}
