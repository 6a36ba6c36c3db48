//! The letter that goes with an organiser's decision.

use minijinja::context;

use super::{Body, Closing, Event, Message, blank, kind_in_a_sentence, one_line, plain};
use crate::content::Content;
use crate::content::placeholders::fill;
use crate::error::Result;
use crate::model::{Kind, Status};
use crate::rules::Record;

/// The letter for this decision about a registration; `None` for a status that has none.
///
/// # Errors
/// [`crate::error::Error::Internal`] when its words cannot be written.
pub fn decision(
    content: &Content,
    public_url: &str,
    record: &Record,
    status: Status,
) -> Result<Option<Message>> {
    let Some((subject, body)) = letter(content, record.kind(), status) else { return Ok(None) };
    let person = plain::greeting_name(record);
    let (_, address) = record.person();
    let kind = kind_in_a_sentence(record.kind());
    let values =
        [("name", person), ("event", &content.event.name), ("kind", &kind), ("dates", &content.event.dates)];
    let subject = one_line(&fill(subject, &values));
    let body = fill(&body.replace('\r', ""), &values);
    let body = Body::of(
        "decision",
        &context! {
            subject,
            greeting => fill(&content.mail.greeting, &[("name", person)]),
            paragraphs => paragraphs(&body),
            event => Event::of(content, public_url),
            mail => Closing::of(content),
        },
    )?;
    Ok(Some(Message { to: address.to_owned(), subject, body, ..blank(public_url) }))
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
