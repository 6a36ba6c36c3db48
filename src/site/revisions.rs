//! Revisions of the content: import, history and rollback.

use serde_json::json;

use super::content::edit::Difference;
use super::draft::{self, DraftVersion};
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
    import_over(app, text, note, actor, None)
}

/// Like [`import`], if the draft is still the one given.
///
/// # Errors
/// Those of [`import`]. [`Error::Changed`]: the draft or what is live has changed.
fn import_over(
    app: &App,
    text: &str,
    note: &str,
    actor: &Actor,
    draft: Option<DraftVersion>,
) -> Result<Outcome> {
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
        if let Some(draft) = draft {
            draft.require_current(connection)?;
        }
        let id = insert_revision(
            connection,
            &NewRevision { created_at: &now, actor, note, toml: text },
            &content,
        )?;
        audit::record(connection, actor, "content imported", &json!({ "revision": id, "note": note }))?;
        Ok(Outcome::Stored(id))
    })
}

/// Stores an older revision again as the newest one. 0 is the compiled-in default, `None` the one before the newest.
/// Returns the older revision's number and the newest one's.
///
/// # Errors
/// [`Error::NotFound`] if there is no such revision. [`Error::Failed`] if it can no longer be used: the rules for content have
/// changed, one of its pictures was removed, entries are in a category that it lacks, or people came in by a list of the
/// door that it lacks.
pub fn rollback(app: &App, revision: Option<i64>, actor: &Actor) -> Result<(i64, i64)> {
    rollback_over(app, revision, actor, None)
}

/// Like [`rollback`], if the draft is still the one given.
fn rollback_over(
    app: &App,
    revision: Option<i64>,
    actor: &Actor,
    draft: Option<DraftVersion>,
) -> Result<(i64, i64)> {
    let wanted = match revision {
        Some(id) => id,
        None => app.store.read(|connection| match content_revisions::newest(connection)? {
            Some(newest) => {
                Ok(content_revisions::before(connection, newest.id)?.map_or(0, |before| before.id))
            }
            None => Err(Error::Failed(
                "There is nothing to roll back: the site shows the compiled-in default.".into(),
            )),
        })?,
    };
    let note = match wanted {
        0 => "back to the compiled-in default".to_owned(),
        id => format!("back to revision {id}"),
    };
    match import_over(app, &text(app, Some(wanted))?, &note, actor, draft)? {
        Outcome::Stored(id) | Outcome::Unchanged(id) => Ok((wanted, id)),
        Outcome::Refused(problems) => Err(Error::Failed(format!(
            "Revision {wanted} cannot be used as it is: {}. Nothing was changed. Export it with `showcase content export --revision {wanted}`, fix it, and import it.",
            summarised(&problems)
        ))),
    }
}

/// The file of a revision. 0 is the compiled-in default, `None` the current content.
///
/// # Errors
/// [`Error::NotFound`] if there is no such revision.
pub fn text(app: &App, revision: Option<i64>) -> Result<String> {
    match revision {
        None => app.store.read(load_current).map(|current| current.toml),
        Some(0) => Ok(Content::default_toml().to_owned()),
        Some(id) => match app.store.read(|connection| content_revisions::get(connection, id))? {
            Some(revision) => Ok(revision.toml),
            None => Err(Error::NotFound(format!(
                "There is no revision {id}. `showcase content history` shows all of them."
            ))),
        },
    }
}

/// All revisions, the newest first.
pub fn history(app: &App) -> Result<Vec<RevisionInfo>> {
    app.store.read(content_revisions::list)
}

/// A revision, as the organiser's pages show it.
pub struct RevisionView {
    /// `None` for the compiled-in default.
    pub head: Option<RevisionInfo>,
    pub is_live: bool,
}

/// All revisions, the newest first; the compiled-in default is the last.
pub fn list_for_organisers(app: &App) -> Result<Vec<RevisionView>> {
    app.store.read(|connection| {
        let live = load_current(connection)?.revision;
        let heads = content_revisions::list(connection)?;
        let imported =
            heads.into_iter().map(|head| RevisionView { is_live: head.id == live, head: Some(head) });
        Ok(imported.chain([RevisionView { head: None, is_live: live == 0 }]).collect())
    })
}

/// Compares a revision with the one before it or, if `with_live`, with the live one: what restoring it would change. Returns
/// the other revision's number, and `None` for the differences if one of the two can no longer be read.
///
/// # Errors
/// [`Error::NotFound`].
pub fn difference(app: &App, number: i64, with_live: bool) -> Result<(i64, Option<Vec<Difference>>)> {
    let text = text(app, Some(number))?;
    let (other, before) = app.store.read(|connection| {
        if with_live {
            let live = load_current(connection)?;
            return Ok((live.revision, live.toml));
        }
        let before = if number == 0 { None } else { content_revisions::before(connection, number)? };
        Ok(before.map_or_else(|| (0, Content::default_toml().to_owned()), |before| (before.id, before.toml)))
    })?;
    Ok((other, draft::compare(&before, &text)))
}

/// Publishes an older revision again, and returns the revision that is live then.
///
/// # Errors
/// [`Error::NotFound`]; [`Error::Changed`] if the draft is not the expected version; [`Error::Conflict`] if the
/// revision cannot be used any more.
pub fn restore(app: &App, number: i64, actor: &Actor, expected: &Expected) -> Result<RevisionInfo> {
    let draft = match expected {
        // Without a condition, a draft that cannot be read does not matter.
        Expected::Any => None,
        _ => {
            let draft = draft::get(app)?;
            expected.require(&draft.version())?;
            Some(draft.version)
        }
    };
    let refused = |error| match error {
        Error::Failed(message) => Error::Conflict(message),
        error => error,
    };
    let (_, id) = rollback_over(app, Some(number), actor, draft).map_err(refused)?;
    let heads = app.store.read(content_revisions::list)?;
    let head = heads.into_iter().find(|head| head.id == id);
    head.ok_or_else(|| Error::Internal(format!("revision {id} is gone")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::site::draft::{Change, Operation, Path};

    #[test]
    fn a_draft_that_is_saved_while_a_revision_is_restored_stops_it() {
        let (_folder, app) = App::for_test(Config::default());
        let tagline = |text: &str| Change {
            sent: "event.tagline".into(),
            path: Path::parse("event.tagline").expect("a path"),
            operation: Operation::Set(text.into()),
        };
        let actor = Actor::CommandLine;
        let read = draft::get(&app).expect("a draft");
        let version = read.version;
        draft::change(&app, &actor, &[tagline("Saved meanwhile")], &Expected::Any).expect("saved");
        let text = Content::default_toml().replace("phase = \"before\"", "phase = \"after\"");
        let late = import_over(&app, &text, "late", &actor, Some(version));
        assert!(matches!(late, Err(Error::Changed)), "{late:?}");
        let version = draft::get(&app).expect("a draft").version;
        let current = import_over(&app, &text, "current", &actor, Some(version));
        assert!(matches!(current, Ok(Outcome::Stored(1))), "{current:?}");
        let outdated = import_over(&app, Content::default_toml(), "outdated", &actor, Some(version));
        assert!(matches!(outdated, Err(Error::Changed)), "{outdated:?}");
    }
}
