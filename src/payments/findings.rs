//! Payments that an organiser has to resolve.

use crate::app::App;
use crate::error::{Error, Result};
use crate::forms;
use crate::model::Actor;
use crate::store::audit;
use crate::store::payment_findings::{self, Finding};
use crate::time;

/// Marks a finding as resolved, with a note of what was done.
///
/// # Errors
/// [`Error::NotFound`]; [`Error::Invalid`] for an invalid note.
pub fn resolve_finding(app: &App, actor: &Actor, id: i64, note: Option<&str>) -> Result<Finding> {
    let note = note.map(|note| forms::free_text("note", note)).transpose()?.flatten();
    app.store.write(|connection| {
        let missing = || Error::NotFound(format!("There is no payment finding {id}."));
        let found = payment_findings::get(connection, id)?.ok_or_else(missing)?;
        if found.settled_at.is_none() {
            let at = time::stored(time::now());
            payment_findings::resolve(connection, id, actor, note.as_deref(), &at)?;
            let line = audit::Line { actor, action: "settled a payment by hand", subject: None };
            audit::insert(connection, &at, &line)?;
        }
        payment_findings::get(connection, id)?.ok_or_else(missing)
    })
}
