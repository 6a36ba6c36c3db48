//! Revisions of the content: import, history, and the way back.

use chrono::Utc;
use serde_json::json;

use super::{check, in_short, picture_names};
use crate::app::App;
use crate::error::{Error, Result};
use crate::model::Actor;
use crate::site::content::{Content, Problem};
use crate::site::publish;
use crate::store::audit;
use crate::store::content_revisions::{self, NewRevision, Revision};
use crate::time;

/// A content file larger than this, in bytes, is none; the default has 60 KB.
pub const LARGEST: usize = 1 << 20;
/// The longest note, in characters.
const LONGEST_NOTE: usize = 200;

/// What became of an import.
#[derive(Debug)]
pub enum Outcome {
    /// The newest revision from now on, by its number.
    Stored(i64),
    /// The same text is the newest revision already.
    Unchanged(i64),
    /// Everything that is wrong with it; nothing was changed.
    Refused(Vec<Problem>),
}

/// Makes a content file the newest revision, when it passes every check and all pages can be made of it.
///
/// # Errors
/// [`Error::Failed`]: the note is too long, or a page cannot be made. Nothing is then changed.
pub fn import(app: &App, text: &str, note: &str, actor: &Actor) -> Result<Outcome> {
    if note.chars().count() > LONGEST_NOTE {
        return Err(Error::Failed(format!("A note has at most {LONGEST_NOTE} characters.")));
    }
    let newest = app.store.read(|connection| content_revisions::before(connection, i64::MAX))?;
    if let Some(newest) = newest.filter(|newest| newest.toml == text) {
        return Ok(Outcome::Unchanged(newest.id));
    }
    let content = match check(text, &app.store.read(picture_names)?) {
        Ok(content) => content,
        Err(problems) => return Ok(Outcome::Refused(problems)),
    };
    publish::rehearse(app, &content)?;
    store(app, text, note, actor).map(Outcome::Stored)
}

/// Makes an older revision the newest one; 0 is the compiled-in default, `None` the one before the newest.
///
/// # Errors
/// [`Error::Failed`]: there is no such revision, or this program cannot use it.
pub fn rollback(app: &App, revision: Option<i64>, actor: &Actor) -> Result<(i64, Outcome)> {
    let wanted = match revision {
        Some(id) => id,
        None => app.store.read(|connection| match content_revisions::before(connection, i64::MAX)? {
            Some(newest) => {
                Ok(content_revisions::before(connection, newest.id)?.map_or(0, |before| before.id))
            }
            None => Err(Error::Failed("Nothing was imported yet: the compiled-in default is shown.".into())),
        })?,
    };
    let note = match wanted {
        0 => "back to the compiled-in default".to_owned(),
        id => format!("back to revision {id}"),
    };
    let outcome = import(app, &text(app, Some(wanted))?, &note, actor)?;
    if let Outcome::Refused(problems) = &outcome {
        return Err(Error::Failed(format!(
            "Revision {wanted} cannot be used by this showcase: {}. Export it with `showcase content export --revision {wanted}`, mend it, and import it.",
            in_short(problems)
        )));
    }
    Ok((wanted, outcome))
}

/// The file of a revision; 0 is the compiled-in default, `None` the content that is shown.
///
/// # Errors
/// [`Error::Failed`] when there is no such revision.
pub fn text(app: &App, revision: Option<i64>) -> Result<String> {
    match revision {
        None => app.store.read(super::present).map(|present| present.toml),
        Some(0) => Ok(Content::default_toml().to_owned()),
        Some(id) => app.store.read(|connection| content_revisions::get(connection, id))?.map_or_else(
            || {
                Err(Error::Failed(format!(
                    "There is no revision {id}; `showcase content history` lists them all."
                )))
            },
            |revision| Ok(revision.toml),
        ),
    }
}

/// All revisions, the newest first.
pub fn history(app: &App) -> Result<Vec<Revision>> {
    app.store.read(content_revisions::list)
}

fn store(app: &App, text: &str, note: &str, actor: &Actor) -> Result<i64> {
    let (text, note) = (text.to_owned(), note.to_owned());
    let now = time::stored(Utc::now());
    let actor = actor.to_owned();
    app.store.write(move |connection| {
        let revision = NewRevision { created_at: &now, actor: &actor, note: &note, toml: &text };
        let id = content_revisions::insert(connection, &revision)?;
        let line = audit::Line { actor: &actor, action: "content imported", subject: None };
        audit::insert_with(connection, &now, &line, &json!({ "revision": id, "note": note }))?;
        Ok(id)
    })
}
