//! The draft of the content: what organisers change in the browser before they publish it. There is one draft for all of
//! them. It is a content file, so that publishing it is an import, and the comments of the file before it are kept.
//!
//! A draft always has the right keys and types. Values that break a rule elsewhere than where they were changed are kept
//! as problems, and a draft with problems is not published. Nothing is merged: when another revision was published
//! meanwhile, the organiser either publishes the draft in its place or discards it.

mod changes;

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::Connection;
use serde_json::{Value, json};

use changes::{apply, json_path};

use super::content::edit;
pub use super::content::edit::{Change, Difference, DifferenceKind, Operation, Path, as_in_file, as_in_json};
use super::content::{Content, Problem};
use super::{lost, publish};
use crate::app::App;
use crate::error::{Error, Result};
use crate::forms::free_line;
use crate::model::{Actor, Expected};
use crate::store::audit;
use crate::store::content_draft::{self, StoredDraft};
use crate::store::content_revisions::{self, NewRevision, RevisionInfo};
use crate::store::registrations::Unpaid;
use crate::time;

/// The longest note, in characters.
pub const MAX_NOTE_LENGTH: usize = 200;

/// The draft, or the live content if no draft is open.
pub struct Draft {
    pub content: Content,
    /// The content as JSON, with the keys that the file has.
    pub value: Value,
    pub toml: String,
    /// The number of the revision that it was begun from.
    pub base: i64,
    /// What differs from the live content.
    pub changes: Vec<Difference>,
    /// What was published after the draft was begun.
    pub newer: Option<Newer>,
    /// Rules that values of the draft break, by path. A draft with problems cannot be published.
    pub problems: BTreeMap<String, String>,
    /// When and by whom the draft was saved; `None` if no draft is open.
    pub saved: Option<(String, Actor)>,
    base_toml: String,
    live: Content,
    version: DraftVersion,
}

/// A revision that was published after a draft was begun.
#[derive(Debug, Clone)]
pub struct Newer {
    pub revision: i64,
    /// How it differs from the revision that the draft was begun from.
    pub changes: Vec<Difference>,
}

/// The outcome of publishing.
pub enum Published {
    /// With the revision that is live now.
    Done(RevisionInfo),
    /// Nothing was published, because another revision was published after the draft was begun.
    Outdated(Newer),
}

impl Draft {
    /// The version that its `ETag` carries.
    pub fn version(&self) -> String {
        format!("{}-{}", self.version.newest, self.version.counter)
    }

    /// The value at a path, with the keys of JSON; null if there is none.
    pub fn at(&self, path: &Path) -> Value {
        as_in_json(edit::at(&self.value, path))
    }

    /// The paths of the tables that are still marked as samples, and of the texts that are to be confirmed.
    pub fn samples(&self) -> Vec<String> {
        self.content.samples().iter().map(|key| json_path(key)).collect()
    }

    /// The paths of the texts that are to be confirmed. They are among the samples too.
    pub fn unconfirmed(&self) -> Vec<String> {
        self.content.unconfirmed.iter().map(|key| json_path(key)).collect()
    }
}

/// The version of the draft: the newest revision, and how often the draft was saved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct DraftVersion {
    newest: i64,
    counter: i64,
}

impl DraftVersion {
    fn read(connection: &Connection) -> Result<DraftVersion> {
        let newest = content_revisions::newest(connection)?.map_or(0, |newest| newest.id);
        Ok(DraftVersion { newest, counter: content_draft::get(connection)?.version })
    }

    /// Call it within the transaction that relies on it.
    ///
    /// # Errors
    /// [`Error::Changed`] if the draft or the live content has changed since.
    fn require_current(self, connection: &Connection) -> Result<()> {
        if DraftVersion::read(connection)? == self { Ok(()) } else { Err(Error::Changed) }
    }
}

/// The draft as it is now.
///
/// # Errors
/// [`Error::Conflict`] if this version of the program cannot read it.
pub fn get(app: &App) -> Result<Draft> {
    app.store.read(load)
}

/// Makes all of the changes to the draft, or none.
///
/// # Errors
/// [`Error::Changed`] if it is not the expected version, or is saved by somebody else at the same time;
/// [`Error::Invalid`] with the problems by path.
pub fn change(app: &App, actor: &Actor, changes: &[Change], expected: &Expected) -> Result<Draft> {
    let draft = get(app)?;
    expected.require(&draft.version())?;
    let (toml, value) = app.store.read(|connection| apply(connection, &draft, changes))?;
    let changed = StoredDraft {
        base: draft.base,
        base_toml: draft.base_toml.clone(),
        toml,
        saved_at: time::stored(time::now()),
        actor: actor.clone(),
    };
    app.store.write(|connection| {
        draft.version.require_current(connection)?;
        if value == edit::value(&draft.live) {
            content_draft::close(connection)
        } else {
            content_draft::save(connection, &changed)
        }
    })?;
    get(app)
}

/// Discards the draft.
///
/// # Errors
/// [`Error::Changed`] if it is not the expected version.
pub fn discard(app: &App, actor: &Actor, expected: &Expected) -> Result<Draft> {
    // A draft that cannot be read any more can be discarded too.
    let draft = match get(app) {
        Ok(draft) => Some(draft),
        Err(Error::Conflict(_)) => None,
        Err(error) => return Err(error),
    };
    if let Some(draft) = &draft {
        expected.require(&draft.version())?;
    }
    app.store.write(|connection| {
        if let Some(draft) = draft.as_ref().filter(|_| *expected != Expected::Any) {
            draft.version.require_current(connection)?;
        }
        if content_draft::get(connection)?.open.is_some() {
            content_draft::close(connection)?;
            let line = audit::Line { actor, action: "content draft discarded", subject: None };
            audit::insert(connection, &time::stored(time::now()), &line)?;
        }
        Ok(())
    })?;
    get(app)
}

/// Publishes the draft as the newest revision. The site shows it within a second. `over` is the revision that was published
/// after the draft was begun, if the organiser wants to replace it.
///
/// # Errors
/// [`Error::Changed`] if it is not the expected version; [`Error::Invalid`] with what keeps it from being published;
/// [`Error::Conflict`] if there is nothing to publish.
pub fn publish(
    app: &App,
    actor: &Actor,
    note: &str,
    over: Option<i64>,
    expected: &Expected,
) -> Result<Published> {
    let note = free_line("note", note, MAX_NOTE_LENGTH)?.unwrap_or_default();
    let draft = get(app)?;
    expected.require(&draft.version())?;
    if let Some(newer) = draft.newer.clone().filter(|newer| over != Some(newer.revision)) {
        return Ok(Published::Outdated(newer));
    }
    if draft.value == edit::value(&draft.live) {
        return Err(Error::Conflict(
            "There is nothing to publish: the site already shows this content.".into(),
        ));
    }
    if !draft.problems.is_empty() {
        return Err(Error::Invalid(draft.problems));
    }
    publish::require_renderable(app, &draft.content).map_err(|error| match error {
        Error::Failed(message) => Error::Conflict(message),
        error => error,
    })?;
    app.store.write(|connection| {
        draft.version.require_current(connection)?;
        let now = time::stored(time::now());
        let revision = NewRevision { created_at: &now, actor, note: &note, toml: &draft.toml };
        let id = super::insert_revision(connection, &revision, &draft.content)?;
        content_draft::close(connection)?;
        let detail = json!({ "revision": id, "note": note, "changes": draft.changes.len() });
        audit::record(connection, actor, "content published", &detail)?;
        Ok(Published::Done(RevisionInfo { id, created_at: now, actor: actor.as_str().to_owned(), note }))
    })
}

/// What differs between two content files; `None` if one of them cannot be read any more.
pub fn compare(before: &str, after: &str) -> Option<Vec<Difference>> {
    let read =
        |toml: &str| Content::read(toml, &BTreeSet::new()).ok().map(|(content, _)| edit::value(&content));
    Some(edit::differences(&read(before)?, &read(after)?))
}

fn load(connection: &Connection) -> Result<Draft> {
    let current = super::load_current(connection)?;
    let pictures = super::picture_names(connection)?;
    // Again from the file: `current.content` also has what is set outside it, such as closed forms and edited emails.
    let (live, _) = read(&current.toml, &pictures)?;
    let mut draft = Draft {
        value: edit::value(&live),
        content: live.clone(),
        toml: current.toml.clone(),
        base: current.revision,
        changes: Vec::new(),
        newer: None,
        problems: BTreeMap::new(),
        saved: None,
        base_toml: current.toml.clone(),
        live,
        version: DraftVersion::read(connection)?,
    };
    let Some(open) = content_draft::get(connection)?.open else { return Ok(draft) };
    // By text, not number: a rollback to the same text is no conflict.
    if open.base_toml != current.toml {
        let changes = compare(&open.base_toml, &current.toml).unwrap_or_default();
        draft.newer = Some(Newer { revision: current.revision, changes });
    }
    let (content, problems) = read(&open.toml, &pictures)?;
    let lost = lost::all(connection, &draft.live, &content, Unpaid::Count)?;
    let live_value = std::mem::replace(&mut draft.value, edit::value(&content));
    draft.content = content;
    draft.toml = open.toml;
    draft.base = open.base;
    draft.base_toml = open.base_toml;
    draft.changes = edit::differences(&live_value, &draft.value);
    draft.problems =
        problems.into_iter().chain(lost).map(|problem| (json_path(&problem.key), problem.rule)).collect();
    draft.saved = Some((open.saved_at, open.actor));
    Ok(draft)
}

fn read(toml: &str, pictures: &BTreeSet<String>) -> Result<(Content, Vec<Problem>)> {
    Content::read(toml, pictures).map_err(|problems| {
        Error::Conflict(format!(
            "This version of the program cannot read the draft ({}). Discard it, then make the changes again.",
            super::summarised(&problems)
        ))
    })
}
