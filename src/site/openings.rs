//! Forms that the organiser has closed by hand, in addition to the content's openings. A form that the content closes
//! cannot be opened here.

use std::collections::BTreeMap;

use rusqlite::Connection;
use serde::Serialize;
use serde_json::json;

use crate::app::App;
use crate::error::Result;
use crate::forms::free_line;
use crate::model::{Actor, Kind};
use crate::site::content::Content;
use crate::store::{audit, installation};
use crate::time;

/// The longest message for a closed form, in characters.
const MAX_MESSAGE_LENGTH: usize = 500;

/// Whether a form is open, and if not, why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "FormOpening"))]
pub struct State {
    pub kind: Kind,
    pub open: bool,
    /// Shown to visitors while the form is closed.
    pub message: Option<String>,
    pub closed_by_hand: bool,
}

/// All forms, in the order of [`Kind::ALL`].
pub fn list(app: &App) -> Result<Vec<State>> {
    // The stored content, although parsing it takes most of this call: `app.content()` has a change only once its pages are
    // rendered, and whoever has just closed a form must not read that it is open.
    let (closed, current) =
        app.store.read(|connection| Ok((closed_by_hand(connection)?, super::load_current(connection)?)))?;
    let now = time::now();
    let state = |kind: Kind| {
        let message = current.content.closed_message(kind, now);
        State { kind, open: message.is_none(), message, closed_by_hand: closed.contains_key(kind.as_str()) }
    };
    Ok(Kind::ALL.into_iter().map(state).collect())
}

/// Closes a form by hand, or undoes that. Visitors see it within a second.
///
/// # Errors
/// [`crate::error::Error::Invalid`] for a message that is too long or has control characters.
pub fn set(app: &App, actor: &Actor, kind: Kind, open: bool, message: &str) -> Result<()> {
    let message = free_line("message", message, MAX_MESSAGE_LENGTH)?.unwrap_or_default();
    app.store.write(|connection| {
        let mut closed = closed_by_hand(connection)?;
        if open {
            closed.remove(kind.as_str());
        } else {
            closed.insert(kind.as_str().to_owned(), message);
        }
        let now = time::stored(time::now());
        installation::set(connection, installation::CLOSED_FORMS, &json!(closed).to_string(), &now)?;
        let action = if open { "form opened" } else { "form closed" };
        audit::record(connection, actor, action, &json!({ "kind": kind.as_str() }))
    })
}

/// The forms that are closed by hand, with their messages. For an empty message a standard sentence is shown.
fn closed_by_hand(connection: &Connection) -> Result<BTreeMap<String, String>> {
    installation::get_json(connection, installation::CLOSED_FORMS)
}

/// Marks the forms that were closed by hand as closed.
pub(super) fn close_by_hand(connection: &Connection, content: &mut Content) -> Result<()> {
    for (kind, message) in closed_by_hand(connection)? {
        let opening = content.openings.entry(kind).or_default();
        opening.open = false;
        if !message.is_empty() {
            opening.message = message;
        }
    }
    Ok(())
}
