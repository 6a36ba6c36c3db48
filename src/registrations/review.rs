//! The organiser's review of a registration: its status, notes and history, and the email that can go with a decision.
//! The organiser's pages and the command line use the same functions.
//!
//! Left out on purpose: an order of the statuses. Organisers change their minds, and the history shows it.

use rusqlite::Connection;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::app::App;
use crate::error::{Error, Result};
use crate::forms;
use crate::mail::outbox::{self, ListedMail};
use crate::mail::{self, Message};
use crate::model::{Actor, Kind, Status};
use crate::registrations::export;
use crate::registrations::transitions::{Action, RegistrationState};
use crate::registrations::version::{self, Expected};
use crate::site::content::Content;
use crate::store::outbox::Priority;
use crate::store::registrations::{self, Stored};
use crate::store::reviews::{self, Step};
use crate::store::{audit, outbox as stored_emails};
use crate::time;

/// What an organiser wants changed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Change {
    pub status: Option<Status>,
    pub note: Option<String>,
    /// Whether to send the email for the status. A submission that is no longer held for review is confirmed anyway.
    pub mail: bool,
    /// A line added to that email, for this person only.
    pub personal_line: Option<String>,
    pub expected: Expected,
}

/// The longest personal line, in characters. A preview has it in the query of its address.
const MAX_LINE_LENGTH: usize = 1_000;

/// The result of a [`Change`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reviewed {
    pub from: Status,
    pub to: Status,
    pub mail_queued: bool,
}

/// Validates the line that an organiser adds to an email; `None` if it is blank.
///
/// # Errors
/// [`Error::Invalid`] on `personalLine` if it is too long or has control characters.
pub fn personal_line(text: &str) -> Result<Option<String>> {
    const NAME: &str = "personalLine";
    let line = forms::free_text(NAME, text)?;
    if line.as_ref().is_some_and(|line| line.chars().count() > MAX_LINE_LENGTH) {
        return Err(Error::field(NAME, &format!("Please use at most {MAX_LINE_LENGTH} characters")));
    }
    Ok(line)
}

/// Parses a status that an organiser may set.
///
/// # Errors
/// [`Error::Invalid`] on `status`: no such status, or `set_aside`, which only the program sets.
pub fn settable_status(text: &str) -> Result<Status> {
    let status = text.parse().ok().filter(|status| *status != Status::SetAside);
    status.ok_or_else(|| {
        let known: Vec<&str> = settable_statuses().map(Status::as_str).collect();
        Error::field("status", &format!("Please use one of: {}", known.join(", ")))
    })
}

/// The statuses that an organiser may set.
pub fn settable_statuses() -> impl Iterator<Item = Status> {
    Status::ALL.into_iter().filter(|status| *status != Status::SetAside)
}

/// Changes a registration's status, adds a note, or both, in one transaction with its history, its audit line and its
/// email. `also` makes further changes in it. A change without effect is not recorded.
///
/// # Errors
/// [`Error::NotFound`]: no such registration. [`Error::Conflict`]: it is held for review and must become `new` first, or
/// the email was queued before. [`Error::Invalid`]: this status has no email, or the line has no email to go into. Those of
/// `also`.
pub fn change(
    app: &App,
    actor: &Actor,
    (kind, id): (Kind, i64),
    change: Change,
    also: impl FnOnce(&Connection, &Reviewed) -> Result<()> + Send,
) -> Result<Reviewed> {
    let (content, public_url) = (app.content(), app.public_url());
    app.store.write(|connection| {
        let stored = registrations::require(connection, kind, id)?;
        version::require(connection, kind, id, &change.expected)?;
        let from = stored.status;
        let to = change.status.unwrap_or(from);
        require_possible(connection, &stored, to)?;
        let at = time::stored(time::now());
        if from != to {
            registrations::set_status(connection, kind, id, to)?;
        }
        let noted = change.note.is_some();
        if from != to || noted {
            let step = Step { at: at.clone(), actor: actor.clone(), from, to, note: change.note };
            reviews::insert(connection, kind, id, &step)?;
        }
        if change.personal_line.is_some() && !change.mail {
            return Err(Error::field("personalLine", "There is no email to add this line to"));
        }
        let mail_queued = change.mail || is_confirmed_by(&stored, to);
        if from != to || noted || mail_queued {
            let line = audit::Line { actor, action: "reviewed", subject: Some((kind, id)) };
            let detail = json!({ "status": to.as_str(), "note": noted, "mail": mail_queued });
            audit::insert_with(connection, &at, &line, &detail)?;
        }
        if mail_queued {
            let line = change.personal_line.as_deref();
            let message = email_for(&content, &public_url, &stored, to, line)?;
            let cause = cause(connection, kind, &stored, to)?;
            queue_once(connection, cause, (kind, id), &message, &at)?;
        }
        let reviewed = Reviewed { from, to, mail_queued };
        also(connection, &reviewed)?;
        Ok(reviewed)
    })
}

/// The email that [`change`] would send for this status; nothing is changed or queued.
pub fn preview(
    app: &App,
    kind: Kind,
    id: i64,
    status: Status,
    personal_line: Option<&str>,
) -> Result<Message> {
    let stored = app.store.read(|connection| {
        let stored = registrations::require(connection, kind, id)?;
        require_possible(connection, &stored, status)?;
        Ok(stored)
    })?;
    let content = app.content();
    email_for(&content, &app.public_url(), &stored, status, personal_line)
}

/// A reason not to send the email for this status, for the organiser; `None` if there is none.
///
/// # Errors
/// [`Error::NotFound`]: no such registration.
pub fn warning(app: &App, kind: Kind, id: i64, status: Status) -> Result<Option<String>> {
    let content = app.content();
    app.store.read(|connection| {
        registrations::require(connection, kind, id)?;
        if status != Status::Declined {
            return Ok(None);
        }
        for line in reviews::list(connection, kind, id)?.iter().rev() {
            let cause = format!("decision/{kind}/{id}/{}", line.id);
            if line.step.to == Status::Accepted && stored_emails::find_cause(connection, &cause)?.is_some() {
                let day = time::local_date(&line.step.at, &content.event.time_zone);
                return Ok(Some(format!("An acceptance was sent to this person on {day}.")));
            }
        }
        Ok(None)
    })
}

/// The statuses that an email can be sent for. The current status is one of them until its email is queued.
///
/// # Errors
/// [`Error::NotFound`]: no such registration.
pub fn statuses_with_email(app: &App, kind: Kind, id: i64) -> Result<Vec<Status>> {
    let content = app.content();
    app.store.read(|connection| {
        let stored = registrations::require(connection, kind, id)?;
        let mut statuses = Vec::new();
        for status in Status::ALL {
            let is_queued = stored.status == status
                && stored_emails::find_cause(connection, &cause(connection, kind, &stored, status)?)?
                    .is_some();
            let is_possible = require_possible(connection, &stored, status).is_ok();
            if is_possible && !is_queued && mail::has_decision(&content, kind, status) {
                statuses.push(status);
            }
        }
        Ok(statuses)
    })
}

/// A registration with its history and its emails, as `GET /api/<kind>/<id>` answers.
#[derive(Debug, Serialize)]
pub struct Details {
    #[serde(skip)]
    pub status: Status,
    /// Every column, by its JSON name.
    #[serde(flatten)]
    pub columns: Map<String, Value>,
    /// Oldest first.
    pub history: Vec<Step>,
    /// Oldest first.
    pub mails: Vec<ListedMail>,
}

/// A registration with its history, or [`Error::NotFound`].
pub fn details(app: &App, kind: Kind, id: i64) -> Result<Details> {
    app.store.read(|connection| {
        let status = registrations::require(connection, kind, id)?.status;
        let mut columns = Map::new();
        registrations::with_id(connection, kind, id, |cells| {
            columns = export::row_as_json(kind, cells);
            Ok(())
        })?;
        let history = reviews::list(connection, kind, id)?.into_iter().map(|line| line.step);
        let mails =
            stored_emails::list_by_registration(connection, kind, id)?.into_iter().map(ListedMail::from);
        Ok(Details { status, columns, history: history.collect(), mails: mails.collect() })
    })
}

fn require_possible(connection: &Connection, stored: &Stored, to: Status) -> Result<()> {
    RegistrationState::read(connection, stored)?.after(Action::SetStatus(to))?;
    Ok(())
}

/// Whether this change releases a submission that was held for review, which is then confirmed like any other. A held
/// entry is unpaid; it is confirmed when it is paid.
fn is_confirmed_by(stored: &Stored, to: Status) -> bool {
    (stored.status, to) == (Status::SetAside, Status::New) && stored.record.kind() != Kind::CompetitionEntries
}

/// The email for a decision, or the confirmation of a submission that is no longer held for review.
fn email_for(
    content: &Content,
    public_url: &str,
    stored: &Stored,
    status: Status,
    personal_line: Option<&str>,
) -> Result<Message> {
    let email = if is_confirmed_by(stored, status) {
        Some(mail::confirmation(content, public_url, &stored.record, stored.id, None)?)
    } else {
        let decision = mail::Decision { status, personal_line };
        mail::decision(content, public_url, &stored.record, decision)?
    };
    email.ok_or_else(|| no_email(content, stored.record.kind(), status))
}

fn no_email(content: &Content, kind: Kind, status: Status) -> Error {
    let has_email = |status: &Status| mail::has_decision(content, kind, *status);
    let with: Vec<&str> = Status::ALL.into_iter().filter(has_email).map(Status::as_str).collect();
    let with = if with.is_empty() { "none".to_owned() } else { with.join(", ") };
    let message = format!("There is no email for '{status}'. Statuses of {kind} with an email: {with}");
    Error::field("status", &message)
}

/// The outbox cause of a status's email: one for each time that the status was set.
fn cause(connection: &Connection, kind: Kind, stored: &Stored, to: Status) -> Result<String> {
    let id = stored.id;
    if is_confirmed_by(stored, to) {
        return Ok(format!("confirmation/{kind}/{id}"));
    }
    let lines = reviews::list(connection, kind, id)?;
    let step = lines.iter().rfind(|line| line.step.to == to && line.step.from != to);
    Ok(format!("decision/{kind}/{id}/{}", step.map_or(0, |line| line.id)))
}

fn queue_once(
    connection: &Connection,
    cause: String,
    about: (Kind, i64),
    message: &Message,
    at: &str,
) -> Result<()> {
    if let Some(mail) = stored_emails::find_cause(connection, &cause)? {
        return Err(Error::Conflict(format!(
            "The email for this decision is in the outbox already, as email {mail}. Nothing was changed."
        )));
    }
    outbox::queue(connection, Priority::Organiser, cause, about, message, at)
}
