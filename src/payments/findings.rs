//! Payments that need a person's look.

use chrono::Utc;

use crate::app::App;
use crate::error::{Error, Result};
use crate::forms;
use crate::model::Actor;
use crate::store::audit;
use crate::store::payment_findings::{self, Finding};
use crate::time;

/// What was found and not settled yet, the newest first; with `all` also what was.
pub fn findings(app: &App, all: bool) -> Result<Vec<Finding>> {
    app.store.read(|connection| payment_findings::list(connection, all))
}

/// Takes a finding from the list, with a word of what was done.
///
/// # Errors
/// [`Error::NotFound`]; [`Error::Invalid`] for a note that cannot be kept.
pub fn settle_by_hand(app: &App, actor: &Actor, id: i64, note: Option<&str>) -> Result<Finding> {
    let note = note.map(|note| forms::free_text("note", note)).transpose()?.flatten();
    let actor = actor.to_owned();
    app.store.write(move |connection| {
        let missing = || Error::NotFound(format!("There is no payment finding {id}."));
        let found = payment_findings::get(connection, id)?.ok_or_else(missing)?;
        if found.settled_at.is_none() {
            let at = time::stored(Utc::now());
            payment_findings::settle(connection, id, &actor, note.as_deref(), &at)?;
            let line = audit::Line { actor: &actor, action: "settled a payment by hand", subject: None };
            audit::insert(connection, &at, &line)?;
        }
        payment_findings::get(connection, id)?.ok_or_else(missing)
    })
}
