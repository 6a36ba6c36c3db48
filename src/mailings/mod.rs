//! Emails to groups: an organiser composes a draft for a saved question (the group), which is counted live. When it is
//! sent, the group is frozen, and [`queue_due`] hands its emails to the outbox at a polite rate.
//!
//! A recipient's row and its email in the outbox change in one transaction, so a restart at any moment neither sends twice
//! nor forgets anybody.

pub mod group;
mod sending;
pub mod texts;
pub mod unsubscribe;

use rusqlite::Connection;
use serde::Serialize;
use serde_json::{Value, json};

use crate::app::App;
use crate::error::{Error, FieldErrors, Result};
use crate::forms;
use crate::mail::group::{Composed, Ending};
use crate::mail::{self, Message};
use crate::model::{Actor, Expected, Kind};
use crate::site::content::Content;
use crate::site::content::placeholders;
use crate::store::mailings::recipients::{self, SkipReason, StateCount};
use crate::store::mailings::{self as store, Group, Member, NewMailing, Notice, State, StoredMailing};
use crate::store::{audit, outbox};
use crate::time;

pub use group::Count;
pub use sending::{Pace, queue_due, send, send_again, send_test, stop};

/// The longest subject, in characters.
const MAX_SUBJECT_LENGTH: usize = 200;

/// A change of a draft. A field that is `None` keeps its value.
#[derive(Debug, Clone, Default)]
pub struct Draft {
    pub group: Option<Value>,
    pub subject: Option<String>,
    pub text: Option<String>,
    /// `Some(None)`: no necessary notice.
    pub notice: Option<Option<Notice>>,
    /// The version that the change is based on.
    pub expected: Expected,
}

/// A mailing with its progress.
#[derive(Debug, Clone)]
pub struct Mailing {
    pub stored: StoredMailing,
    pub group: Group,
    pub progress: Progress,
}

/// How many people a mailing reaches. Of a draft, `recipients`, `unsubscribed` and `refused` are counted live.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "MailingProgress"))]
pub struct Progress {
    /// Everybody who gets an email or has got one.
    pub recipients: i64,
    /// Not in the outbox yet.
    pub waiting: i64,
    /// In the outbox.
    pub queued: i64,
    pub sent: i64,
    /// The mail server has refused the email.
    pub failed: i64,
    pub unsubscribed: i64,
    pub refused: i64,
    /// Left out for another reason: held for review or erased since, or the mailing was stopped or the email discarded.
    pub left_out: i64,
}

/// Stores a draft and returns its id.
///
/// # Errors
/// [`Error::Invalid`] names every wrong field; [`Error::Malformed`]: a group of the wrong JSON type.
pub fn create(app: &App, actor: &Actor, draft: &Draft) -> Result<i64> {
    let missing = Value::Object(serde_json::Map::new());
    let checked = Checked::new(
        &app.content(),
        draft.group.as_ref().unwrap_or(&missing),
        draft.subject.as_deref().unwrap_or_default(),
        draft.text.as_deref().unwrap_or_default(),
    )?;
    let Checked { audience, subject, text } = &checked;
    let new = NewMailing { actor, audience, subject, text, notice: draft.notice.flatten() };
    app.store.write(|connection| {
        let now = time::stored(time::now());
        let id = store::insert(connection, &new, &now)?;
        audit::record(connection, actor, "mailing drafted", &json!({ "mailing": id }))?;
        Ok(id)
    })
}

/// Changes a draft. If nothing differs, nothing is stored.
///
/// # Errors
/// Those of [`create`]; [`Error::NotFound`]; [`Error::Conflict`]: it is not a draft any more; [`Error::Changed`].
pub fn change(app: &App, actor: &Actor, id: i64, draft: Draft) -> Result<()> {
    let content = app.content();
    app.store.write(|connection| {
        let stored = require_draft(connection, id, &draft.expected)?;
        let audience = match &draft.group {
            Some(group) => group.clone(),
            None => group_json(&stored)?,
        };
        let checked = Checked::new(
            &content,
            &audience,
            draft.subject.as_deref().unwrap_or(&stored.subject),
            draft.text.as_deref().unwrap_or(&stored.text),
        )?;
        let notice = draft.notice.unwrap_or(stored.notice);
        let Checked { audience, subject, text } = checked;
        let changed = StoredMailing { audience, subject, text, notice, ..stored.clone() };
        if changed == stored {
            return Ok(());
        }
        store::update(connection, &changed)?;
        audit::record(connection, actor, "mailing changed", &json!({ "mailing": id }))
    })
}

/// Deletes a draft.
///
/// # Errors
/// [`Error::NotFound`]; [`Error::Conflict`]: it is not a draft any more; [`Error::Changed`].
pub fn delete(app: &App, actor: &Actor, id: i64, expected: Expected) -> Result<()> {
    app.store.write(|connection| {
        require_draft(connection, id, &expected)?;
        store::delete(connection, id)?;
        audit::record(connection, actor, "mailing deleted", &json!({ "mailing": id }))
    })
}

/// Hands no further emails to the outbox until the mailing is resumed. A paused mailing stays paused.
///
/// # Errors
/// [`Error::NotFound`]; [`Error::Conflict`]: it is not being sent.
pub fn pause(app: &App, actor: &Actor, id: i64) -> Result<()> {
    app.store.write(|connection| {
        match find(connection, id)?.state {
            State::Paused => return Ok(()),
            State::Sending => store::set_paused(connection, id)?,
            state @ (State::Draft | State::Stopped | State::Sent) => return Err(not_sending(id, state)),
        }
        audit::record(connection, actor, "mailing paused", &json!({ "mailing": id }))
    })
}

/// A mailing with its progress, or [`Error::NotFound`].
pub fn get(app: &App, id: i64) -> Result<Mailing> {
    app.store.read(|connection| with_progress(connection, find(connection, id)?))
}

/// A page of mailings, the newest first, and how many there are.
pub fn page(app: &App, most: u32, offset: u32) -> Result<(Vec<Mailing>, i64)> {
    app.store.read(|connection| {
        let stored = store::list(connection, most, offset)?;
        let mailings = stored.into_iter().map(|stored| with_progress(connection, stored));
        Ok((mailings.collect::<Result<_>>()?, store::count(connection)?))
    })
}

/// Counts a group that is not stored yet.
///
/// # Errors
/// Those of [`group::parse_new`].
pub fn count(app: &App, group: &Value, notice: Option<Notice>) -> Result<Count> {
    let group = group::parse_new(group, &app.content())?;
    app.store.read(|connection| group::count(connection, &group, notice))
}

/// Somebody's email in a preview.
pub struct Previewed {
    pub kind: Kind,
    pub registration_id: i64,
    pub message: Message,
}

/// The emails to three people of the group: the first, one in the middle, and the last; and the names of all that are not
/// used in the greeting. Nothing is stored.
///
/// # Errors
/// [`Error::NotFound`].
pub fn preview(app: &App, id: i64) -> Result<(Vec<Previewed>, Vec<String>)> {
    let (content, public_url) = (app.content(), app.public_url());
    app.store.read(|connection| {
        let stored = find(connection, id)?;
        let mut members = Vec::new();
        let group = group_of(&stored)?;
        let count = group::count(connection, &group, stored.notice)?.recipients;
        let chosen = [0, count / 2, count.saturating_sub(1)];
        let (mut at, mut unnamed) = (0, Vec::new());
        group::each(connection, &group, stored.notice, |member, skipped| {
            if skipped.is_none() {
                let registration = group::registration_of(connection, &member)?;
                let name = registration.map(|stored| stored.record.person_name().to_owned());
                unnamed.extend(name.filter(|name| mail::group::is_left_out(name)));
                if chosen.contains(&at) {
                    members.push(member);
                }
                at += 1;
            }
            Ok(())
        })?;
        let mut previewed = Vec::new();
        for member in members {
            // The link of a preview leads nowhere: clicking it must not unsubscribe the person.
            let link = format!("{public_url}/unsubscribe/preview");
            if let Some(message) = compose(connection, &content, &public_url, &stored, &member, &link)? {
                let Member { kind, registration_id, .. } = member;
                previewed.push(Previewed { kind, registration_id, message });
            }
        }
        Ok((previewed, unnamed))
    })
}

/// Why a necessary notice goes to everybody and has no link to unsubscribe.
pub fn reason(notice: Notice) -> String {
    let reason = match notice {
        Notice::Place => "the place has changed for an event that you registered for",
        Notice::Time => "the time has changed for an event that you registered for",
        Notice::Cancellation => "an event that you registered for, or a part of it, is cancelled",
    };
    format!(
        "You are receiving this because {reason}. A notice like this goes to everybody, so it has no link to unsubscribe."
    )
}

/// The email to somebody in a group; `None` if their registration is gone.
fn compose(
    connection: &Connection,
    content: &Content,
    public_url: &str,
    stored: &StoredMailing,
    member: &Member,
    link: &str,
) -> Result<Option<Message>> {
    let Some(registration) = group::registration_of(connection, member)? else { return Ok(None) };
    let id = registration.id;
    let composed = Composed { subject: &stored.subject, text: &stored.text };
    let reason = stored.notice.map(reason);
    let ending = reason.as_deref().map_or(Ending::Unsubscribe(link), Ending::Necessary);
    mail::group::group(content, public_url, (id, &registration.record), composed, ending).map(Some)
}

/// A checked draft in the form in which it is stored.
struct Checked {
    /// JSON.
    audience: String,
    subject: String,
    text: String,
}

impl Checked {
    fn new(content: &Content, group: &Value, subject: &str, text: &str) -> Result<Checked> {
        let mut errors = FieldErrors::new();
        let group = collected(&mut errors, group::parse_new(group, content))?;
        let known: Vec<&str> = match &group {
            Some(group) => group::placeholders(group).map(|placeholder| placeholder.name).collect(),
            None => mail::group::PLACEHOLDERS.iter().map(|placeholder| placeholder.name).collect(),
        };
        let subject = collected(&mut errors, checked_subject(subject, &known))?;
        let text = collected(&mut errors, checked_text(text, &known))?;
        match (group, subject, text) {
            (Some(group), Some(subject), Some(text)) => {
                Ok(Checked { audience: group::to_json(&group).to_string(), subject, text })
            }
            _ => Err(Error::Invalid(errors)),
        }
    }
}

/// Collects the fields of an [`Error::Invalid`], so that every wrong field is named at once.
fn collected<T>(errors: &mut FieldErrors, checked: Result<T>) -> Result<Option<T>> {
    match checked {
        Ok(value) => Ok(Some(value)),
        Err(Error::Invalid(fields)) => {
            errors.extend(fields);
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// A subject of an email: one line.
///
/// # Errors
/// [`Error::Invalid`] on `subject`.
pub fn checked_subject(subject: &str, known: &[&str]) -> Result<String> {
    const NAME: &str = "subject";
    let Some(subject) = forms::free_text(NAME, subject)? else {
        return Err(Error::field(NAME, "Please enter a subject"));
    };
    if subject.contains(['\n', '\r']) {
        return Err(Error::field(NAME, "A subject is one line. Please remove the line break"));
    }
    if subject.chars().count() > MAX_SUBJECT_LENGTH {
        return Err(Error::field(NAME, &format!("Please use at most {MAX_SUBJECT_LENGTH} characters")));
    }
    placeholders::normalised(&subject, known)
        .map_err(|mistakes| Error::field(NAME, mistakes[0].trim_start_matches("Line 1: ")))
}

/// A text of an email: paragraphs with an empty line between them.
///
/// # Errors
/// [`Error::Invalid`] on `text`, with the lines of all mistakes.
pub fn checked_text(text: &str, known: &[&str]) -> Result<String> {
    const NAME: &str = "text";
    let Some(text) = forms::free_text(NAME, text)? else {
        return Err(Error::field(NAME, "Please enter a text"));
    };
    placeholders::normalised(&text, known).map_err(|mistakes| Error::field(NAME, &mistakes.join(" ")))
}

fn with_progress(connection: &Connection, stored: StoredMailing) -> Result<Mailing> {
    let group = group_of(&stored)?;
    let mut progress = Progress::default();
    if stored.state == State::Draft {
        let count = group::count(connection, &group, stored.notice)?;
        let number = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
        progress.recipients = number(count.recipients);
        progress.unsubscribed = number(count.unsubscribed);
        progress.refused = number(count.refused);
        return Ok(Mailing { stored, group, progress });
    }
    for StateCount { is_waiting, skipped, mail, count } in recipients::progress(connection, stored.id)? {
        let part = match (skipped, mail) {
            (Some(SkipReason::Unsubscribed), _) => &mut progress.unsubscribed,
            (Some(SkipReason::Refused), _) => &mut progress.refused,
            (Some(_), _) => &mut progress.left_out,
            (None, None) if is_waiting => &mut progress.waiting,
            (None, Some(outbox::State::Waiting)) => &mut progress.queued,
            // An email that was deleted since had been sent.
            (None, Some(outbox::State::Sent) | None) => &mut progress.sent,
            (None, Some(outbox::State::Failed)) => &mut progress.failed,
            (None, Some(outbox::State::Discarded)) => &mut progress.left_out,
        };
        *part += count;
    }
    progress.recipients = progress.waiting + progress.queued + progress.sent + progress.failed;
    Ok(Mailing { stored, group, progress })
}

fn group_json(stored: &StoredMailing) -> Result<Value> {
    serde_json::from_str(&stored.audience)
        .map_err(|error| Error::Internal(format!("the group of mailing {}: {error}", stored.id)))
}

fn group_of(stored: &StoredMailing) -> Result<Group> {
    group::parse(&group_json(stored)?)
}

fn find(connection: &Connection, id: i64) -> Result<StoredMailing> {
    store::get(connection, id)?.ok_or_else(|| {
        Error::NotFound(format!("There is no mailing {id}. The page Emails to groups lists all of them."))
    })
}

/// A mailing that is a draft, in the expected version.
fn require_draft(connection: &Connection, id: i64, expected: &Expected) -> Result<StoredMailing> {
    let stored = find(connection, id)?;
    if stored.state != State::Draft {
        let state = stored.state;
        return Err(Error::Conflict(format!(
            "Mailing {id} is not a draft any more; its state is '{state}'."
        )));
    }
    expected.require(&stored.version.to_string())?;
    Ok(stored)
}

fn not_sending(id: i64, state: State) -> Error {
    Error::Conflict(format!("Mailing {id} is not being sent; its state is '{state}'."))
}
