//! The organiser's review of a registration: its status, notes, history, and the letter that can go with
//! a decision. The same for the dashboard and the command line.

use chrono::Utc;
use rusqlite::Connection;
use serde_json::{Map, Value, json};

use crate::app::App;
use crate::error::{Error, Result};
use crate::forms;
use crate::mail::outbox;
use crate::mail::{self, Message};
use crate::model::{Actor, Kind, Status};
use crate::registrations::export;
use crate::registrations::transitions::{Action, Standing};
use crate::registrations::version::{self, Expected};
use crate::site::content::Content;
use crate::store::outbox::Priority;
use crate::store::registrations::{self, Stored};
use crate::store::reviews::{self, Step};
use crate::store::{audit, outbox as mails};
use crate::time;

/// What an organiser wants changed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Change {
    pub status: Option<Status>,
    pub note: Option<String>,
    /// Whether the person gets the mail for the status; the confirmation of what is taken back goes anyway.
    pub mail: bool,
    /// What that mail says to this person alone.
    pub personal_line: Option<String>,
    pub expected: Expected,
}

/// The longest personal line, in characters: it stands in an address when it is previewed.
const LONGEST_LINE: usize = 1_000;

/// What came of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reviewed {
    pub from: Status,
    pub to: Status,
    pub mail_queued: bool,
}

impl Change {
    /// The change that a request's JSON asks for: `status`, `note`, `mail`, `personalLine`, each optional.
    ///
    /// # Errors
    /// [`Error::Malformed`]: not an object, or a value of the wrong JSON type. [`Error::Invalid`]: a status
    /// that nobody sets, or a note or a line that cannot be kept.
    pub fn parse(body: &Value) -> Result<Change> {
        let object =
            body.as_object().ok_or_else(|| Error::Malformed("Please send one JSON object.".into()))?;
        let given = |name: &str| object.get(name).filter(|value| !value.is_null());
        let text = |name: &str| {
            given(name).map(|value| value.as_str().ok_or_else(|| Error::wrong_type(name))).transpose()
        };
        let mail = given("mail")
            .map(|value| value.as_bool().ok_or_else(|| Error::wrong_type("mail")))
            .transpose()?;
        let status = text("status")?.map(settable).transpose()?;
        let note = text("note")?.map(|note| forms::free_text("note", note)).transpose()?.flatten();
        let personal_line = text("personalLine")?.map(personal_line).transpose()?.flatten();
        Ok(Change { status, note, mail: mail.unwrap_or(false), personal_line, expected: Expected::Any })
    }
}

/// A line that an organiser adds to a mail, checked; `None` when nothing is in it.
///
/// # Errors
/// [`Error::Invalid`] on `personalLine` when it is too long or has control characters.
pub fn personal_line(text: &str) -> Result<Option<String>> {
    const NAME: &str = "personalLine";
    let line = forms::free_text(NAME, text)?;
    if line.as_ref().is_some_and(|line| line.chars().count() > LONGEST_LINE) {
        return Err(Error::field(NAME, &format!("Please use at most {LONGEST_LINE} characters")));
    }
    Ok(line)
}

/// A status that an organiser may give.
///
/// # Errors
/// [`Error::Invalid`] on `status`: no such status, or `set_aside`, which only the program gives.
pub fn settable(word: &str) -> Result<Status> {
    let status = word.parse().ok().filter(|status| *status != Status::SetAside);
    status.ok_or_else(|| {
        let known: Vec<&str> = settable_statuses().map(Status::as_str).collect();
        Error::field("status", &format!("Please use one of: {}", known.join(", ")))
    })
}

/// The statuses that an organiser may give.
pub fn settable_statuses() -> impl Iterator<Item = Status> {
    Status::ALL.into_iter().filter(|status| *status != Status::SetAside)
}

/// Changes a registration's status, notes something, or both; all in one transaction with its history,
/// its audit line and its mail. What changes nothing leaves no trace.
///
/// # Errors
/// [`Error::NotFound`]: no such registration. [`Error::Conflict`]: it was set aside and has to be taken back
/// first, or the mail was queued already. [`Error::Invalid`]: there is no mail for this status, or none for the line.
pub fn change(app: &App, actor: &Actor, kind: Kind, id: i64, change: Change) -> Result<Reviewed> {
    let (content, public_url) = (app.content(), app.public_url());
    let actor = actor.to_owned();
    app.store.write(move |connection| {
        let stored = find(connection, kind, id)?;
        version::require(connection, kind, id, &change.expected)?;
        let from = stored.status;
        let to = change.status.unwrap_or(from);
        require_possible(connection, &stored, to)?;
        let at = time::stored(Utc::now());
        if from != to {
            registrations::set_status(connection, kind, id, to)?;
        }
        let noted = change.note.is_some();
        if from != to || noted {
            let step = Step { at: at.clone(), actor: actor.clone(), from, to, note: change.note };
            reviews::insert(connection, kind, id, &step)?;
        }
        if change.personal_line.is_some() && !change.mail {
            return Err(Error::field("personalLine", "There is no mail that this line could stand in"));
        }
        let mail_queued = change.mail || is_confirmed_by(&stored, to);
        if from != to || noted || mail_queued {
            let line = audit::Line { actor: &actor, action: "reviewed", subject: Some((kind, id)) };
            let detail = json!({ "status": to.as_str(), "note": noted, "mail": mail_queued });
            audit::insert_with(connection, &at, &line, &detail)?;
        }
        if mail_queued {
            let line = change.personal_line.as_deref();
            let message = letter(&content, &public_url, &stored, to, line)?;
            let cause = cause(connection, kind, &stored, to)?;
            queue_once(connection, cause, (kind, id), &message, &at)?;
        }
        Ok(Reviewed { from, to, mail_queued })
    })
}

/// The mail that [`change`] would send for this status; nothing is changed or queued.
///
/// # Errors
/// As [`change`].
pub fn preview(
    app: &App,
    kind: Kind,
    id: i64,
    status: Status,
    personal_line: Option<&str>,
) -> Result<Message> {
    let stored = app.store.read(|connection| {
        let stored = find(connection, kind, id)?;
        require_possible(connection, &stored, status)?;
        Ok(stored)
    })?;
    letter(&app.content(), &app.public_url(), &stored, status, personal_line)
}

/// The statuses that the person can be told of by mail: the one that was given only until its mail is queued.
///
/// # Errors
/// [`Error::NotFound`]: no such registration.
pub fn letters(app: &App, kind: Kind, id: i64) -> Result<Vec<&'static str>> {
    let content = app.content();
    app.store.read(|connection| {
        let stored = find(connection, kind, id)?;
        let mut letters = Vec::new();
        for status in Status::ALL {
            let is_told = stored.status == status
                && mails::find_cause(connection, &cause(connection, kind, &stored, status)?)?.is_some();
            let is_possible = require_possible(connection, &stored, status).is_ok();
            if is_possible && !is_told && mail::has_decision(&content, kind, status) {
                letters.push(status.as_str());
            }
        }
        Ok(letters)
    })
}

/// The whole registration with its history, oldest line first, as `GET /api/<kind>/<id>` answers.
///
/// # Errors
/// [`Error::NotFound`]: no such registration.
pub fn details(app: &App, kind: Kind, id: i64) -> Result<Map<String, Value>> {
    app.store.read(|connection| {
        let mut shown = Map::new();
        registrations::one(connection, kind, id, |cells| {
            shown = export::record(kind, cells);
            Ok(())
        })?;
        if shown.is_empty() {
            return Err(missing(kind, id));
        }
        let history = reviews::list(connection, kind, id)?.into_iter().map(|line| {
            let Step { at, actor, from, to, note } = line.step;
            json!({ "at": at, "actor": actor.as_str(), "from": from, "to": to, "note": note })
        });
        shown.insert("history".into(), history.collect());
        let sent = mails::about(connection, kind, id)?;
        shown.insert("mails".into(), sent.iter().map(outbox::listed).collect());
        Ok(shown)
    })
}

fn find(connection: &Connection, kind: Kind, id: i64) -> Result<Stored> {
    registrations::get(connection, kind, id)?.ok_or_else(|| missing(kind, id))
}

fn missing(kind: Kind, id: i64) -> Error {
    Error::NotFound(format!("There is no record {id} of {kind}."))
}

fn require_possible(connection: &Connection, stored: &Stored, to: Status) -> Result<()> {
    Standing::of(connection, stored)?.after(Action::Give(to))?;
    Ok(())
}

/// Whether this change makes a submission one that is confirmed like any other. An entry that was set aside is
/// unpaid: its confirmation comes with the payment.
fn is_confirmed_by(stored: &Stored, to: Status) -> bool {
    (stored.status, to) == (Status::SetAside, Status::New) && stored.record.kind() != Kind::CompetitionEntries
}

/// The decision's mail; for a submission that is taken back, the confirmation that it never got.
fn letter(
    content: &Content,
    public_url: &str,
    stored: &Stored,
    status: Status,
    personal_line: Option<&str>,
) -> Result<Message> {
    let letter = if is_confirmed_by(stored, status) {
        Some(mail::confirmation(content, public_url, &stored.record, None)?)
    } else {
        let decision = mail::Decision { status, personal_line };
        mail::decision(content, public_url, &stored.record, decision)?
    };
    letter.ok_or_else(|| no_letter(content, stored.record.kind(), status))
}

fn no_letter(content: &Content, kind: Kind, status: Status) -> Error {
    let has_letter = |status: &Status| mail::has_decision(content, kind, *status);
    let with: Vec<&str> = Status::ALL.into_iter().filter(has_letter).map(Status::as_str).collect();
    let others = if with.is_empty() { "none".to_owned() } else { format!("one for {}", with.join(", ")) };
    Error::field("status", &format!("There is no mail for '{status}'; among {kind} there is {others}"))
}

/// One mail for each time that the status was given.
fn cause(connection: &Connection, kind: Kind, stored: &Stored, to: Status) -> Result<String> {
    let id = stored.id;
    if is_confirmed_by(stored, to) {
        return Ok(format!("confirmation/{kind}/{id}"));
    }
    let lines = reviews::list(connection, kind, id)?;
    let given = lines.iter().rfind(|line| line.step.to == to && line.step.from != to);
    Ok(format!("decision/{kind}/{id}/{}", given.map_or(0, |line| line.id)))
}

fn queue_once(
    connection: &Connection,
    cause: String,
    about: (Kind, i64),
    message: &Message,
    at: &str,
) -> Result<()> {
    if let Some(mail) = mails::find_cause(connection, &cause)? {
        return Err(Error::Conflict(format!(
            "This decision's mail is in the outbox already, as mail {mail}; nothing was changed."
        )));
    }
    outbox::queue(connection, Priority::Organiser, cause, about, message, at)
}
