//! Corrects answers of a registration by the rules of its form. The old answers stay in its history and in the audit
//! log; `person erase` removes them.

use rusqlite::Connection;
use serde_json::{Map, Value as Json, json};

use crate::app::App;
use crate::error::{Error, FieldErrors, Result};
use crate::forms::{self, Field, Record, Value};
use crate::mail::{self, Message, outbox};
use crate::model::{Actor, Kind, Status};
use crate::registrations::correct::{self, Correction};
use crate::registrations::version::{self, Expected};
use crate::site::content::Content;
use crate::store::outbox::Priority;
use crate::store::registrations::{self, Stored, person};
use crate::store::{audit, reviews};
use crate::time;

const EMAIL: &str = "email";
/// The longest reason, in characters.
const MAX_REASON_LENGTH: usize = 1_000;

/// A correction by an organiser.
#[derive(Debug, Clone)]
pub struct AnswerCorrection {
    /// New answers by field name; `null` empties a field.
    pub values: Map<String, Json>,
    pub reason: String,
    /// Whether the person gets an email that says what was changed.
    pub mail: bool,
    pub expected: Expected,
}

/// An answer before and after, as people read it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnswerChange {
    pub field: &'static str,
    pub label: &'static str,
    /// Empty if there was no answer.
    pub from: String,
    /// Empty if there is none any more.
    pub to: String,
}

/// The answers that were changed; empty if they were the same already.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Corrected {
    pub changes: Vec<AnswerChange>,
    pub mail_queued: bool,
}

/// A correction that is not stored.
pub struct Preview {
    pub changes: Vec<AnswerChange>,
    /// The email that would go with it; `None` if nothing changes, or the person gets no email.
    pub message: Option<Message>,
}

/// Checks and normalises a reason.
///
/// # Errors
/// [`Error::Invalid`] on `reason`: it is missing, too long or has control characters.
pub fn reason(text: &str) -> Result<String> {
    forms::reason(text, MAX_REASON_LENGTH)
}

/// Corrects answers, in one transaction with the history, the audit line and the email. If no answer changes, nothing is
/// stored. `check` adds rules of the kind that its form does not have.
///
/// # Errors
/// [`Error::NotFound`]: no such registration. [`Error::Conflict`]: the person was erased. [`Error::Changed`]: another
/// version was expected. [`Error::Malformed`], [`Error::Invalid`]: see [`forms::replace`].
pub fn correct(
    app: &App,
    actor: &Actor,
    (kind, id): (Kind, i64),
    correction: AnswerCorrection,
    check: impl Fn(&Connection, &Record, &mut Record) -> Result<FieldErrors> + Send + Sync,
) -> Result<Corrected> {
    let (content, public_url) = (app.content(), app.public_url());
    app.store.write(|connection| {
        version::require(connection, kind, id, &correction.expected)?;
        let plan = Plan::new(connection, &content, (kind, id), &correction.values, &check)?;
        if plan.changes.is_empty() {
            return Ok(Corrected::default());
        }
        let message = if correction.mail {
            Some(plan.message(&content, &public_url)?.ok_or_else(held_for_review)?)
        } else {
            None
        };
        let at = time::stored(time::now());
        let line = plan.store(connection, actor, &public_url, &correction.reason, &at)?;
        if let Some(message) = &message {
            let cause = format!("correction/{kind}/{id}/{line}");
            outbox::queue(connection, Priority::Organiser, cause, (kind, id), message, &at)?;
        }
        Ok(Corrected { changes: plan.changes, mail_queued: message.is_some() })
    })
}

/// The changes that [`fn@correct`] would make, and its email. Nothing is stored or queued.
pub fn preview(
    app: &App,
    (kind, id): (Kind, i64),
    values: &Map<String, Json>,
    check: impl Fn(&Connection, &Record, &mut Record) -> Result<FieldErrors>,
) -> Result<Preview> {
    let content = app.content();
    app.store.read(|connection| {
        let plan = Plan::new(connection, &content, (kind, id), values, &check)?;
        let is_same = plan.changes.is_empty();
        let message = if is_same { None } else { plan.message(&content, &app.public_url())? };
        Ok(Preview { message, changes: plan.changes })
    })
}

/// A checked correction.
struct Plan {
    stored: Stored,
    after: Record,
    changes: Vec<AnswerChange>,
}

impl Plan {
    fn new(
        connection: &Connection,
        content: &Content,
        (kind, id): (Kind, i64),
        values: &Map<String, Json>,
        check: &impl Fn(&Connection, &Record, &mut Record) -> Result<FieldErrors>,
    ) -> Result<Plan> {
        let stored = registrations::require(connection, kind, id)?;
        if stored.record.text(EMAIL) == person::ERASED {
            return Err(Error::Conflict("This person was erased; there is nothing to correct.".into()));
        }
        let (mut after, mut errors) = forms::replace(&stored.record, values, &content.offered())?;
        for (field, message) in check(connection, &stored.record, &mut after)? {
            errors.entry(field).or_insert(message);
        }
        if !errors.is_empty() {
            return Err(Error::Invalid(errors));
        }
        let changes = stored
            .record
            .fields()
            .zip(after.fields())
            .filter(|((_, before), (_, after))| before != after)
            .map(|((field, before), (_, after))| AnswerChange {
                field: &field.name,
                label: &field.label,
                from: as_text(content, field, before),
                to: as_text(content, field, after),
            })
            .collect();
        Ok(Plan { stored, after, changes })
    }

    /// The email that says what was changed; `None` for a submission that is held for review.
    fn message(&self, content: &Content, public_url: &str) -> Result<Option<Message>> {
        if self.stored.status == Status::SetAside {
            return Ok(None);
        }
        // The reader of a new address may be somebody else, who must not see the old answers.
        let is_same_address = self.changes.iter().all(|change| change.field != EMAIL);
        let changes: Vec<mail::Changed<'_>> = self
            .changes
            .iter()
            .map(|change| mail::Changed {
                label: change.label,
                from: is_same_address.then_some(change.from.as_str()),
                to: &change.to,
            })
            .collect();
        mail::correction(content, public_url, &self.after, &changes).map(Some)
    }

    /// Stores the answers with the history and the audit line; returns the number of the newest history line.
    fn store(
        &self,
        connection: &Connection,
        actor: &Actor,
        public_url: &str,
        reason: &str,
        at: &str,
    ) -> Result<i64> {
        let (kind, id) = (self.after.kind(), self.stored.id);
        let (address, answers): (Vec<_>, Vec<_>) =
            self.changes.iter().partition(|change| change.field == EMAIL);
        if !address.is_empty() {
            // The organiser gives a reason and sees the change before it is saved.
            let correction = Correction {
                email: self.after.email(),
                mails: Vec::new(),
                expected: Expected::Any,
                confirm: true,
                reason: Some(reason.to_owned()),
            };
            correct::correct(connection, actor, public_url, (kind, id), &correction)?;
        }
        if !answers.is_empty() {
            let names: Vec<&str> = answers.iter().map(|change| change.field).collect();
            registrations::set_answers(connection, id, &self.after, &names)?;
            let mut note = String::new();
            for AnswerChange { label, from, to, .. } in &answers {
                note.push_str(&format!("{label}: {} → {}\n", or_empty(from), or_empty(to)));
            }
            note.push_str(&format!("Reason: {reason}"));
            reviews::add_note(connection, &self.stored, actor, note, at)?;
            let line = audit::Line { actor, action: audit::ANSWERS_CORRECTED, subject: Some((kind, id)) };
            audit::insert_with(connection, at, &line, &json!({ "values": self.values(&names) }))?;
        }
        Ok(reviews::list(connection, kind, id)?.last().map_or(0, |line| line.id))
    }

    /// The named answers before and after, as JSON.
    fn values(&self, names: &[&str]) -> Map<String, Json> {
        let both = self.stored.record.fields().zip(self.after.fields());
        both.filter(|((field, _), _)| names.contains(&field.name.as_str()))
            .map(|((field, before), (_, after))| {
                (field.name.clone(), json!({ "from": before.to_json(), "to": after.to_json() }))
            })
            .collect()
    }
}

fn held_for_review() -> Error {
    Error::Conflict(
        "This submission is held for review, so nobody is written to. Nothing was changed.".into(),
    )
}

fn or_empty(text: &str) -> &str {
    if text.is_empty() { "(empty)" } else { text }
}

fn as_text(content: &Content, field: &'static Field, value: &Value) -> String {
    match value {
        Value::Missing => String::new(),
        Value::Text(text) => content.answer_label(field, text).to_owned(),
        Value::List(items) => items.iter().map(|item| field.label_of(item)).collect::<Vec<_>>().join(", "),
        Value::Flag(yes) => if *yes { "Yes" } else { "No" }.to_owned(),
        Value::Count(count) => count.to_string(),
    }
}
