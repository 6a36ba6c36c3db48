//! The mail that goes with an organiser's decision.

use minijinja::context;

use super::{Body, Closing, Event, Message, blank, greeting, kind_in_a_sentence, one_line, plain};
use crate::error::Result;
use crate::forms::Record;
use crate::model::{Kind, Status};
use crate::site::content::Content;
use crate::site::content::model::event::EmailText;
use crate::site::content::placeholders::fill;

/// A decision that the person is told by mail.
#[derive(Debug, Clone, Copy)]
pub struct Decision<'a> {
    pub status: Status,
    /// What the organiser adds for this person alone.
    pub personal_line: Option<&'a str>,
}

/// The mail for this decision about a registration; `None` where there is none.
///
/// # Errors
/// [`crate::error::Error::Internal`] when its words cannot be written.
pub fn decision(
    content: &Content,
    public_url: &str,
    record: &Record,
    decision: Decision<'_>,
) -> Result<Option<Message>> {
    let Some(letter) = letter(content, record.kind(), decision.status) else { return Ok(None) };
    let (person, address) = record.person();
    let person = plain::greeting_name(person);
    let kind = kind_in_a_sentence(record.kind());
    let values =
        [("name", person), ("event", &content.event.name), ("kind", &kind), ("dates", &content.event.dates)];
    let subject = one_line(&fill(letter.subject, &values));
    let body = fill(&letter.body.replace('\r', ""), &values);
    // Only a waitlist signup is invited to enter.
    let link = (record.kind() == Kind::WaitlistSignups && decision.status == Status::Accepted).then(|| {
        context! { label => content.apply.entry.title, url => format!("{public_url}/enter-competition") }
    });
    let closing = Closing::of(content);
    let sign_off = if letter.sign_off.is_empty() { closing.sign_off } else { letter.sign_off };
    let body = Body::of(
        "decision",
        &context! {
            subject,
            greeting => greeting(content, record),
            paragraphs => paragraphs(&body),
            personal_line => decision.personal_line,
            link,
            event => Event::of(content, public_url),
            mail => Closing { sign_off, ..closing },
        },
    )?;
    Ok(Some(Message { to: address.to_owned(), subject, body, ..blank(public_url) }))
}

/// Whether a registration of this kind is told of this status.
pub fn has_decision(content: &Content, kind: Kind, status: Status) -> bool {
    letter(content, kind, status).is_some()
}

struct Words<'a> {
    subject: &'a str,
    body: &'a str,
    /// Empty for the one of all mails.
    sign_off: &'a str,
}

/// The kind's own letter, or, for an application, the one for all.
fn letter(content: &Content, kind: Kind, status: Status) -> Option<Words<'_>> {
    let decisions = &content.mail.decisions;
    let decision = match status {
        Status::Accepted => &decisions.accepted,
        Status::Waitlisted => &decisions.waitlisted,
        Status::Declined => &decisions.declined,
        Status::New | Status::InReview | Status::Withdrawn | Status::SetAside => return None,
    };
    match decision.for_kind.get(kind.as_str()) {
        // Whoever has entered takes part: there is nothing to decide.
        _ if kind == Kind::CompetitionEntries => None,
        Some(EmailText { subject, body, sign_off }) => {
            let sign_off = if sign_off.is_empty() { &decision.sign_off } else { sign_off };
            Some(Words { subject, body, sign_off })
        }
        None if kind.is_application() => {
            Some(Words { subject: &decision.subject, body: &decision.body, sign_off: &decision.sign_off })
        }
        None => None,
    }
}

pub fn paragraphs(body: &str) -> Vec<&str> {
    body.split("\n\n").map(str::trim).filter(|paragraph| !paragraph.is_empty()).collect()
}
