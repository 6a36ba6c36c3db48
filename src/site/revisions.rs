//! Revisions of the content: import, history and rollback.

use serde_json::json;

use super::content::edit::Difference;
use super::draft;
use super::{insert_revision, load_current, lost, picture_names, summarised};
use crate::app::App;
use crate::error::{Error, Result};
use crate::model::{Actor, Expected};
use crate::site::content::{Content, Problem};
use crate::site::publish;
use crate::store::audit;
use crate::store::content_revisions::{self, NewRevision, RevisionInfo};
use crate::store::registrations::Unpaid;
use crate::time;

/// The largest content file, in bytes. The default has 60 KB.
pub const MAX_BYTES: usize = 1 << 20;

/// The outcome of an import.
#[derive(Debug)]
pub enum Outcome {
    /// It is the newest revision, with this number.
    Stored(i64),
    /// The newest revision, with this number, already has the same text.
    Unchanged(i64),
    /// All problems of the file. Nothing was changed.
    Refused(Vec<Problem>),
}

/// Stores a content file as the newest revision if it passes every check and all pages can be rendered from it.
///
/// # Errors
/// [`Error::Failed`] when the note is too long or a page cannot be rendered. Then nothing is changed.
pub fn import(app: &App, text: &str, note: &str, actor: &Actor) -> Result<Outcome> {
    if note.chars().count() > draft::MAX_NOTE_LENGTH {
        return Err(Error::Failed(format!(
            "The note is too long: write at most {} characters.",
            draft::MAX_NOTE_LENGTH
        )));
    }
    let newest = app.store.read(content_revisions::newest)?;
    if let Some(newest) = newest.filter(|newest| newest.toml == text) {
        return Ok(Outcome::Unchanged(newest.id));
    }
    let content = match Content::parse_with(text, &app.store.read(picture_names)?) {
        Ok(content) => content,
        Err(problems) => return Ok(Outcome::Refused(problems)),
    };
    let lost = app.store.read(|connection| {
        let live = load_current(connection)?.content;
        lost::all(connection, &live, &content, Unpaid::Ignore)
    })?;
    if !lost.is_empty() {
        return Ok(Outcome::Refused(lost));
    }
    publish::require_renderable(app, &content)?;
    app.store.write(|connection| {
        let now = time::stored(time::now());
        let revision = NewRevision { created_at: &now, actor, note, toml: text };
        let id = insert_revision(connection, &revision, &content)?;
        audit::record(connection, actor, "content imported", &json!({ "revision": id, "note": note }))?;
        Ok(Outcome::Stored(id))
    })
}

/// The number of the revision before the newest one; 0 is the compiled-in default.
///
/// # Errors
/// [`Error::Failed`] if nothing was imported.
pub fn before_newest(app: &App) -> Result<i64> {
    app.store.read(|connection| match content_revisions::newest(connection)? {
        Some(newest) => Ok(content_revisions::before(connection, newest.id)?.map_or(0, |before| before.id)),
        None => Err(Error::Failed(
            "There is nothing to roll back: the site shows the compiled-in default.".into(),
        )),
    })
}

/// Stores an older revision again as the newest one; 0 is the compiled-in default. Returns the newest one's number.
///
/// # Errors
/// [`Error::NotFound`] if there is no such revision. [`Error::Failed`] if it can no longer be used: the rules for content have
/// changed, one of its pictures was removed, entries are in a category that it lacks, or people came in by a list of the
/// door that it lacks.
pub fn rollback(app: &App, wanted: i64, actor: &Actor) -> Result<i64> {
    let note = match wanted {
        0 => "back to the compiled-in default".to_owned(),
        id => format!("back to revision {id}"),
    };
    match import(app, &text(app, wanted)?, &note, actor)? {
        Outcome::Stored(id) | Outcome::Unchanged(id) => Ok(id),
        Outcome::Refused(problems) => Err(Error::Failed(format!(
            "Revision {wanted} cannot be used as it is: {}. Nothing was changed. Export it with `showcase content export --revision {wanted}`, fix it, and import it.",
            summarised(&problems)
        ))),
    }
}

/// The file of a revision. 0 is the compiled-in default.
///
/// # Errors
/// [`Error::NotFound`] if there is no such revision.
pub fn text(app: &App, revision: i64) -> Result<String> {
    if revision == 0 {
        return Ok(Content::default_toml().to_owned());
    }
    let found = app.store.read(|connection| content_revisions::get(connection, revision))?;
    found.map(|revision| revision.toml).ok_or_else(|| {
        Error::NotFound(format!(
            "There is no revision {revision}. `showcase content history` shows all of them."
        ))
    })
}

/// The file of the current content.
pub fn current_text(app: &App) -> Result<String> {
    app.store.read(load_current).map(|current| current.toml)
}

/// All revisions, the newest first.
pub fn history(app: &App) -> Result<Vec<RevisionInfo>> {
    app.store.read(content_revisions::list)
}

/// A revision, as the organiser's pages show it.
pub struct RevisionView {
    /// `None` for the compiled-in default.
    pub info: Option<RevisionInfo>,
    pub is_live: bool,
}

/// All revisions, the newest first; the compiled-in default is the last.
pub fn list_for_organisers(app: &App) -> Result<Vec<RevisionView>> {
    app.store.read(|connection| {
        let live = load_current(connection)?.revision;
        let imported = content_revisions::list(connection)?
            .into_iter()
            .map(|info| RevisionView { is_live: info.id == live, info: Some(info) });
        Ok(imported.chain([RevisionView { info: None, is_live: live == 0 }]).collect())
    })
}

/// Compares a revision with the one before it. Returns that one's number, and `None` for the differences if one of the two
/// can no longer be read.
///
/// # Errors
/// [`Error::NotFound`].
pub fn difference(app: &App, number: i64) -> Result<(i64, Option<Vec<Difference>>)> {
    let text = text(app, number)?;
    let before = app.store.read(|connection| content_revisions::before(connection, number))?;
    let (id, before) = match before {
        Some(before) => (before.id, before.toml),
        None => (0, Content::default_toml().to_owned()),
    };
    Ok((id, draft::compare(&before, &text)))
}

/// Publishes an older revision again, and returns the revision that is live then.
///
/// # Errors
/// [`Error::NotFound`]; [`Error::Changed`] if the draft is not the expected version; [`Error::Conflict`] if the
/// revision cannot be used any more.
pub fn restore(app: &App, number: i64, actor: &Actor, expected: &Expected) -> Result<RevisionInfo> {
    // Without a condition, a draft that cannot be read does not matter.
    if *expected != Expected::Any {
        expected.require(&draft::get(app)?.version())?;
    }
    let id = rollback(app, number, actor).map_err(|error| match error {
        Error::Failed(message) => Error::Conflict(message),
        error => error,
    })?;
    let mut all = history(app)?.into_iter();
    all.find(|info| info.id == id).ok_or_else(|| Error::Internal(format!("revision {id} is gone")))
}
