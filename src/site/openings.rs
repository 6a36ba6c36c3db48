//! Forms that the organiser has closed by hand, beside what the content says of them. A form that the content closes
//! cannot be opened here.

use std::collections::BTreeMap;

use chrono::Utc;
use rusqlite::Connection;
use serde_json::json;

use crate::app::App;
use crate::error::{Error, Result};
use crate::model::{Actor, Kind};
use crate::site::content::Content;
use crate::store::{audit, settings};
use crate::time;

/// The longest sentence that visitors read while a form is closed, in characters.
const LONGEST: usize = 500;

/// Whether a form is open, and what closed it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    pub kind: Kind,
    pub open: bool,
    /// What visitors read while it is closed.
    pub message: Option<String>,
    pub closed_by_hand: bool,
}

/// All forms, in the order of the lists.
pub fn list(app: &App) -> Result<Vec<State>> {
    let closed = app.store.read(closed)?;
    let content = app.store.read(super::present)?.content;
    let now = app.site_time(&content, Utc::now());
    let state = |kind: Kind| {
        let message = content.opening(kind.as_str(), now).closed_message();
        State { kind, open: message.is_none(), message, closed_by_hand: closed.contains_key(kind.as_str()) }
    };
    Ok(Kind::ALL.into_iter().map(state).collect())
}

/// Closes a form from now on, or takes that back. Visitors see it within a second.
///
/// # Errors
/// [`Error::Invalid`] on `message`.
pub fn set(app: &App, actor: &Actor, kind: Kind, open: bool, message: &str) -> Result<()> {
    let message = message.trim().to_owned();
    if message.chars().count() > LONGEST || message.contains(char::is_control) {
        return Err(Error::field(
            "message",
            &format!("Please write one line of at most {LONGEST} characters."),
        ));
    }
    let actor = actor.to_owned();
    app.store.write(move |connection| {
        let mut closed = closed(connection)?;
        if open {
            closed.remove(kind.as_str());
        } else {
            closed.insert(kind.as_str().to_owned(), message);
        }
        let now = time::stored(Utc::now());
        settings::set(connection, settings::CLOSED_FORMS, &json!(closed).to_string(), &now)?;
        let action = if open { "form opened" } else { "form closed" };
        let line = audit::Line { actor: &actor, action, subject: None };
        audit::insert_with(connection, &now, &line, &json!({ "kind": kind.as_str() }))
    })
}

/// The forms that are closed by hand, each with its sentence; an empty one leaves the words to us.
fn closed(connection: &Connection) -> Result<BTreeMap<String, String>> {
    let stored = settings::get(connection, settings::CLOSED_FORMS)?;
    let closed = stored.map(|json| serde_json::from_str(&json)).transpose();
    Ok(closed
        .map_err(|error| Error::Internal(format!("the setting {}: {error}", settings::CLOSED_FORMS)))?
        .unwrap_or_default())
}

/// The content with the forms closed that were closed by hand.
pub(super) fn applied(connection: &Connection, mut content: Content) -> Result<Content> {
    for (kind, message) in closed(connection)? {
        let opening = content.openings.entry(kind).or_default();
        opening.open = false;
        if !message.is_empty() {
            opening.message = message;
        }
    }
    Ok(content)
}
