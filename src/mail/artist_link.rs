//! The email with which a competitor signs in to the Artist Portal.

use minijinja::context;

use super::{Body, Closing, Event, Message, blank, greeting};
use crate::error::Result;
use crate::forms::Record;
use crate::site::content::Content;

/// The link and the code with which a competitor signs in.
pub struct ArtistLink<'a> {
    pub token: &'a str,
    /// Six digits.
    pub code: &'a str,
    pub code_minutes: i64,
}

/// # Errors
/// [`crate::error::Error::Internal`] if its values cannot be serialised.
pub fn artist_link(
    content: &Content,
    public_url: &str,
    record: &Record,
    link: &ArtistLink<'_>,
) -> Result<Message> {
    let subject = "Your link to the Artist Portal".to_owned();
    let body = Body::of(
        "artist-link",
        &context! {
            subject,
            greeting => greeting(content, record),
            // The token is in the fragment, which no server, log or proxy sees.
            secret => context! { url => format!("{public_url}/artist-portal#{}", link.token), code => link.code },
            minutes => link.code_minutes,
            event => Event::of(content, public_url),
            mail => Closing::of(content),
        },
    )?;
    let (_, address) = record.person();
    Ok(Message { to: address.to_owned(), subject, body, ..blank(public_url) })
}
