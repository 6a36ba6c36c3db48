//! The email about an organiser's decision.

use minijinja::context;

use super::{Body, Closing, Event, Message, blank, greeting, kind_in_a_sentence, one_line, plain};
use crate::error::Result;
use crate::forms::Record;
use crate::model::{Kind, Status};
use crate::site::content::Content;
use crate::site::content::model::event::EmailText;
use crate::site::content::placeholders::fill;

/// A decision about a registration.
#[derive(Debug, Clone, Copy)]
pub struct Decision<'a> {
    pub status: Status,
    /// A text that the organiser adds for this person.
    pub personal_line: Option<&'a str>,
}

/// The email about this decision; `None` if the content has none for it.
///
/// # Errors
/// [`crate::error::Error::Internal`] if its values cannot be serialised.
pub fn decision(
    content: &Content,
    public_url: &str,
    record: &Record,
    decision: Decision<'_>,
) -> Result<Option<Message>> {
    let Some(text) = text(content, record.kind(), decision.status) else { return Ok(None) };
    let (person, address) = record.person();
    let person = plain::greeting_name(person);
    let kind = kind_in_a_sentence(record.kind());
    let values =
        [("name", person), ("event", &content.event.name), ("kind", &kind), ("dates", &content.event.dates)];
    let subject = one_line(&fill(text.subject, &values));
    let body = fill(&text.body.replace('\r', ""), &values);
    let closing = Closing::new(content);
    let sign_off = if text.sign_off.is_empty() { closing.sign_off } else { text.sign_off };
    let body = Body::new(
        "decision",
        &context! {
            subject,
            greeting => greeting(content, record),
            paragraphs => paragraphs(&body),
            personal_line => decision.personal_line,
            event => Event::new(content, public_url),
            mail => Closing { sign_off, ..closing },
        },
    )?;
    Ok(Some(Message { to: address.to_owned(), subject, body, ..blank(public_url) }))
}

/// Whether the content has an email for this kind and status.
pub fn has_decision(content: &Content, kind: Kind, status: Status) -> bool {
    text(content, kind, status).is_some()
}

struct Text<'a> {
    subject: &'a str,
    body: &'a str,
    /// Empty: `mail.sign_off`.
    sign_off: &'a str,
}

/// The text for this kind, or for an application the text for all kinds.
fn text(content: &Content, kind: Kind, status: Status) -> Option<Text<'_>> {
    let decisions = &content.mail.decisions;
    let decision = match status {
        Status::Accepted => &decisions.accepted,
        Status::Waitlisted => &decisions.waitlisted,
        Status::Declined => &decisions.declined,
        Status::New | Status::InReview | Status::Withdrawn | Status::NoShow | Status::SetAside => {
            return None;
        }
    };
    // A paid entry takes part without a decision, and people on the waitlist are invited (`registrations::invitations`).
    if matches!(kind, Kind::CompetitionEntries | Kind::WaitlistSignups) {
        return None;
    }
    let text = match decision.for_kind.get(kind.as_str()) {
        Some(EmailText { subject, body, sign_off }) => {
            let sign_off = if sign_off.is_empty() { &decision.sign_off } else { sign_off };
            Text { subject, body, sign_off }
        }
        None if kind.is_application() => {
            Text { subject: &decision.subject, body: &decision.body, sign_off: &decision.sign_off }
        }
        None => return None,
    };
    match content.mail.texts.get(&format!("decision.{kind}.{status}")) {
        Some(EmailText { subject, body, .. }) => Some(Text { subject, body, ..text }),
        None => Some(text),
    }
}

/// The subject and the text of the email about a decision, with their placeholders; `None` if there is none.
pub fn decision_text(content: &Content, kind: Kind, status: Status) -> Option<(&str, &str)> {
    text(content, kind, status).map(|text| (text.subject, text.body))
}

/// Like [`paragraphs`], with their placeholders filled. An empty line in a value begins no paragraph.
pub fn filled_paragraphs(body: &str, values: &[(&str, &str)]) -> Vec<String> {
    paragraphs(body).into_iter().map(|paragraph| fill(paragraph, values)).collect()
}

/// The paragraphs of a text, which empty lines separate.
pub fn paragraphs(body: &str) -> Vec<&str> {
    body.split("\n\n").map(str::trim).filter(|paragraph| !paragraph.is_empty()).collect()
}
