//! The email about an organiser's decision.

use minijinja::context;

use super::{Message, compose_text, kind_in_a_sentence};
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
pub fn decision(
    content: &Content,
    public_url: &str,
    record: &Record,
    decision: Decision<'_>,
) -> Result<Option<Message>> {
    let Some(text) = email_text(content, record.kind(), decision.status) else { return Ok(None) };
    let kind = kind_in_a_sentence(record.kind());
    let more = context! { personal_line => decision.personal_line };
    compose_text(content, public_url, record, &text, &[("kind", &kind)], more).map(Some)
}

/// Whether the content has an email for this kind and status.
pub fn has_decision(content: &Content, kind: Kind, status: Status) -> bool {
    email_text(content, kind, status).is_some()
}

/// The text for this kind, or for an application the text for all kinds.
fn email_text(content: &Content, kind: Kind, status: Status) -> Option<EmailText> {
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
    let mut text = match decision.for_kind.get(kind.as_str()) {
        Some(text) => text.clone(),
        None if kind.is_application() => {
            let (subject, body) = (decision.subject.clone(), decision.body.clone());
            EmailText { subject, body, sign_off: String::new() }
        }
        None => return None,
    };
    if text.sign_off.is_empty() {
        text.sign_off.clone_from(&decision.sign_off);
    }
    if let Some(edited) = content.mail.texts.get(&format!("decision.{kind}.{status}")) {
        (text.subject, text.body) = (edited.subject.clone(), edited.body.clone());
    }
    Some(text)
}

/// The subject and the text of the email about a decision, with their placeholders; `None` if there is none.
pub fn decision_text(content: &Content, kind: Kind, status: Status) -> Option<(String, String)> {
    email_text(content, kind, status).map(|text| (text.subject, text.body))
}

/// Like [`paragraphs`], with their placeholders filled. An empty line in a value begins no paragraph.
pub fn filled_paragraphs(body: &str, values: &[(&str, &str)]) -> Vec<String> {
    paragraphs(body).into_iter().map(|paragraph| fill(paragraph, values)).collect()
}

/// The paragraphs of a text, which empty lines separate.
pub fn paragraphs(body: &str) -> Vec<&str> {
    body.split("\n\n").map(str::trim).filter(|paragraph| !paragraph.is_empty()).collect()
}
