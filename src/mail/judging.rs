//! The emails of judging: a judge's link, and the results to a competitor.

use minijinja::context;

use super::{ArtistLink, Body, Closing, Event, Message, blank, greeting, greeting_to};
use crate::error::Result;
use crate::forms::Record;
use crate::site::content::Content;

/// # Errors
/// [`crate::error::Error::Internal`] if its values cannot be serialised.
pub fn judge_link(
    content: &Content,
    public_url: &str,
    (name, address): (&str, &str),
    link: &ArtistLink<'_>,
) -> Result<Message> {
    let subject = "Your link to the entries you judge".to_owned();
    let body = Body::of(
        "judge-link",
        &context! {
            subject,
            greeting => greeting_to(content, name),
            // The token is in the fragment, which no server, log or proxy sees.
            secret => context! { url => format!("{public_url}/judge#{}", link.token), code => link.code },
            minutes => link.code_minutes,
            event => Event::of(content, public_url),
            mail => Closing::of(content),
        },
    )?;
    Ok(Message { to: address.to_owned(), subject, body, ..blank(public_url) })
}

/// Says that a competitor's score sheet is there, and nothing of what is on it.
///
/// # Errors
/// Those of [`judge_link`].
pub fn results_published(
    content: &Content,
    public_url: &str,
    record: &Record,
    nomination: &str,
) -> Result<Message> {
    let (_, address) = record.person();
    let subject = format!("The results of {nomination} are out");
    let paragraphs = [
        format!("The judges have scored every entry in {nomination}, and the results are public now."),
        "Your score sheet is in the Artist Portal: your points for each criterion beside those of all entries, and what \
         the judges wrote for you."
            .to_owned(),
    ];
    let body = Body::of(
        "decision",
        &context! {
            subject,
            greeting => greeting(content, record),
            paragraphs,
            link => context! { label => "Open your score sheet", url => format!("{public_url}/artist-portal") },
            event => Event::of(content, public_url),
            mail => Closing::of(content),
        },
    )?;
    Ok(Message { to: address.to_owned(), subject, body, ..blank(public_url) })
}
