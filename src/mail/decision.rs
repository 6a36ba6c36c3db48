//! The letter that goes with an organiser's decision.

use minijinja::context;

use super::{Message, blank, event, kind_in_a_sentence, one_line, templates};
use crate::content::Content;
use crate::content::placeholders::fill;
use crate::error::Result;
use crate::model::{Kind, Status};
use crate::rules::Record;

/// The letter for this decision about a registration; `None` for a status that has none.
///
/// # Errors
/// [`crate::error::Error::Internal`] when the template cannot be rendered.
pub fn decision(
    content: &Content,
    public_url: &str,
    record: &Record,
    status: Status,
) -> Result<Option<Message>> {
    let Some((subject, body)) = letter(content, record.kind(), status) else { return Ok(None) };
    let (person, address) = record.person();
    let kind = kind_in_a_sentence(record.kind());
    let values =
        [("name", person), ("event", &content.event.name), ("kind", &kind), ("dates", &content.event.dates)];
    let subject = one_line(&fill(subject, &values));
    let body = fill(&body.replace('\r', ""), &values);
    let (text, html) = templates::render(
        "decision",
        &context! {
            subject,
            greeting => fill(&content.mail.greeting, &[("name", person)]),
            paragraphs => paragraphs(&body),
            event => event(content, public_url),
            mail => context! { sign_off => content.mail.sign_off, signature => content.mail.signature, footer => content.mail.footer },
        },
    )?;
    Ok(Some(Message { to: address.to_owned(), subject, text, html, ..blank(public_url) }))
}

/// Subject and body of the letter: the kind's own, or the one for all.
fn letter(content: &Content, kind: Kind, status: Status) -> Option<(&str, &str)> {
    let decisions = &content.mail.decisions;
    let decision = match status {
        Status::Accepted => &decisions.accepted,
        Status::Waitlisted => &decisions.waitlisted,
        Status::Declined => &decisions.declined,
        Status::New | Status::InReview | Status::Withdrawn | Status::SetAside => return None,
    };
    Some(match decision.for_kind.get(kind.as_str()) {
        Some(own) => (&own.subject, &own.body),
        None => (&decision.subject, &decision.body),
    })
}

fn paragraphs(body: &str) -> Vec<&str> {
    body.split("\n\n").map(str::trim).filter(|paragraph| !paragraph.is_empty()).collect()
}
