//! The draft of the content: what organisers change in the browser before they publish it. There is one draft for all of
//! them. It is a content file, so that publishing it is an import, and the comments of the file before it are kept.
//!
//! A draft always has the right keys and types. Values that break a rule elsewhere than where they were changed are kept
//! as problems, and a draft with problems is not published.

mod changing;
mod lost_categories;

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::Connection;
use serde_json::{Value, json};

use changing::{Changed, changed, shown};
pub(super) use lost_categories::{Unpaid, lost_categories};

use super::content::edit::{self, Clash};
pub use super::content::edit::{Change, Difference, Do, Path, What, as_in_file, as_in_json};
use super::content::{Content, Problem};
use super::publish;
use super::revisions::LONGEST_NOTE;
use crate::app::App;
use crate::error::{Error, Result};
use crate::model::{Actor, Expected};
use crate::store::audit;
use crate::store::content_draft::{self, Open};
use crate::store::content_revisions::{self, Head, NewRevision};
use crate::time;

/// How often a change is retried when another change was stored first.
const TRIES: usize = 5;

/// The draft, or the live content if no draft is open.
pub struct Draft {
    pub content: Content,
    /// The content as JSON, with the keys that the file has.
    pub value: Value,
    pub toml: String,
    /// The number of the live revision.
    pub base: i64,
    /// What differs from the live content.
    pub changes: Vec<Difference>,
    pub conflicts: Vec<Conflict>,
    /// Rules that values of the draft break, by path. A draft with problems cannot be published.
    pub problems: BTreeMap<String, String>,
    /// When and by whom the draft was saved; `None` if no draft is open.
    pub saved: Option<(String, Actor)>,
    live_toml: String,
    live: Value,
    counter: i64,
}

/// A value that both the draft and an import, rollback or restore have changed.
#[derive(Debug, Clone, PartialEq)]
pub struct Conflict {
    pub path: Path,
    pub base: Value,
    pub live: Value,
    pub draft: Value,
}

/// The outcome of publishing.
pub enum Published {
    /// With the revision that is live now.
    Done(Head),
    /// Nothing was published.
    Undecided(Vec<Conflict>),
}

impl Draft {
    /// The version that its `ETag` carries.
    pub fn version(&self) -> String {
        format!("{}-{}", self.base, self.counter)
    }

    /// The value at a path, with the keys of JSON; null if there is none.
    pub fn at(&self, path: &Path) -> Value {
        as_in_json(edit::at(&self.value, path))
    }

    /// The paths of the tables that are still marked as samples, and of the texts that are to be confirmed.
    pub fn samples(&self) -> Vec<String> {
        self.content.samples().iter().map(|key| shown(key)).collect()
    }

    /// The paths of the texts that are to be confirmed. They are among the samples too.
    pub fn unconfirmed(&self) -> Vec<String> {
        self.content.unconfirmed.iter().map(|key| shown(key)).collect()
    }

    fn has_changes(&self) -> bool {
        self.value != self.live
    }
}

/// The version of a draft: the live revision that it is based on, and how often it was saved.
#[derive(Debug, Clone, Copy)]
pub(super) struct DraftVersion {
    base: i64,
    counter: i64,
}

impl DraftVersion {
    pub(super) fn of(draft: &Draft) -> DraftVersion {
        DraftVersion { base: draft.base, counter: draft.counter }
    }

    /// Whether neither the draft nor the live content has changed since. Call it within the transaction that relies on it.
    pub(super) fn is_current(self, connection: &Connection) -> Result<bool> {
        // The live revision may be older than the newest one, which this program may not be able to read.
        let is_live = self.base == 0 || content_revisions::get(connection, self.base)?.is_some();
        let newer = content_revisions::before(connection, i64::MAX)?.filter(|newest| newest.id != self.base);
        let is_newest = newer.is_none_or(|newest| Content::parse(&newest.toml).is_err());
        Ok(is_live && is_newest && content_draft::version(connection)? == self.counter)
    }
}

/// The draft as it is now.
///
/// # Errors
/// [`Error::Conflict`] if this version of the program cannot read it.
pub fn get(app: &App) -> Result<Draft> {
    app.store.read(load)
}

/// Changes the draft. All changes hold, or none.
///
/// # Errors
/// [`Error::Changed`] if it is not the expected version; [`Error::Invalid`] with the problems by path.
pub fn change(app: &App, actor: &Actor, changes: &[Change], expected: &Expected) -> Result<Draft> {
    for _ in 0..TRIES {
        let (draft, pictures) = app.store.read(|connection| {
            let draft = load(connection)?;
            Ok((draft, super::picture_names(connection)?))
        })?;
        expected.require(&draft.version())?;
        let changed = changed(app, &draft, changes, &pictures)?;
        if save(app, actor, &draft, changed)? {
            return get(app);
        }
    }
    Err(Error::Changed)
}

/// Discards the draft.
///
/// # Errors
/// [`Error::Changed`] if it is not the expected version.
pub fn discard(app: &App, actor: &Actor, expected: &Expected) -> Result<Draft> {
    // A draft that cannot be read any more can be discarded too.
    if let Ok(draft) = get(app) {
        expected.require(&draft.version())?;
    }
    let (actor, now) = (actor.clone(), time::stored(time::now()));
    app.store.write(move |connection| {
        if content_draft::get(connection)?.open.is_some() {
            content_draft::close(connection)?;
            let line = audit::Line { actor: &actor, action: "content draft discarded", subject: None };
            audit::insert(connection, &now, &line)?;
        }
        Ok(())
    })?;
    get(app)
}

/// Publishes the draft as the newest revision. The site shows it within a second.
///
/// # Errors
/// [`Error::Changed`] if it is not the expected version; [`Error::Invalid`] with what keeps it from being published;
/// [`Error::Conflict`] if there is nothing to publish.
pub fn publish(app: &App, actor: &Actor, note: &str, expected: &Expected) -> Result<Published> {
    let note = note.trim().to_owned();
    if note.chars().count() > LONGEST_NOTE || note.contains(char::is_control) {
        return Err(Error::field(
            "note",
            &format!("Please write one line of at most {LONGEST_NOTE} characters."),
        ));
    }
    let draft = get(app)?;
    expected.require(&draft.version())?;
    if !draft.conflicts.is_empty() {
        return Ok(Published::Undecided(draft.conflicts));
    }
    if !draft.has_changes() {
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
    let (actor, now) = (actor.clone(), time::stored(time::now()));
    app.store.write(move |connection| {
        require_current(connection, &draft)?;
        let revision = NewRevision { created_at: &now, actor: &actor, note: &note, toml: &draft.toml };
        let id = content_revisions::insert(connection, &revision)?;
        content_draft::close(connection)?;
        let line = audit::Line { actor: &actor, action: "content published", subject: None };
        let detail = json!({ "revision": id, "note": note, "changes": draft.changes.len() });
        audit::insert_with(connection, &now, &line, &detail)?;
        let head = Head { id, created_at: now, actor: actor.as_str().to_owned(), note };
        Ok(Published::Done(head))
    })
}

/// What differs between two content files; `None` if one of them cannot be read any more.
pub fn compare(before: &str, after: &str) -> Option<Vec<Difference>> {
    let read =
        |toml: &str| Content::read(toml, &BTreeSet::new()).ok().map(|(content, _)| edit::value(&content));
    Some(edit::differences(&read(before)?, &read(after)?))
}

/// The draft, rebased on the live content.
fn load(connection: &Connection) -> Result<Draft> {
    let current = super::load_current(connection)?;
    let pictures = super::picture_names(connection)?;
    let (live_content, _) = read(&current.toml, &pictures)?;
    let live = edit::value(&live_content);
    let stored = content_draft::get(connection)?;
    let mut draft = Draft {
        value: live.clone(),
        content: live_content,
        toml: current.toml.clone(),
        base: current.revision,
        changes: Vec::new(),
        conflicts: Vec::new(),
        problems: BTreeMap::new(),
        saved: None,
        live_toml: current.toml,
        live,
        counter: stored.version,
    };
    let Some(open) = stored.open else { return Ok(draft) };
    let mut clashes = stored_clashes(&open)?;
    if open.base_toml == draft.live_toml {
        draft.toml = open.toml;
    } else {
        let (base, _) = read(&open.base_toml, &pictures)?;
        let (drafted, _) = read(&open.toml, &pictures)?;
        let (merged, found) = edit::merge(&edit::value(&base), &draft.live, &edit::value(&drafted));
        clashes.retain(|clash| found.iter().all(|newer| newer.path != clash.path));
        clashes.extend(found);
        draft.toml = edit::write(&draft.live_toml, &draft.live, &merged).map_err(Error::Internal)?;
    }
    let (content, problems) = read(&draft.toml, &pictures)?;
    let lost = lost_categories(connection, &draft.content, &content, Unpaid::Count)?;
    draft.value = edit::value(&content);
    draft.content = content;
    draft.changes = edit::differences(&draft.live, &draft.value);
    draft.problems =
        problems.into_iter().chain(lost).map(|problem| (shown(&problem.key), problem.rule)).collect();
    draft.conflicts = clashes.into_iter().filter_map(|clash| conflict(&draft, clash)).collect();
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

/// The conflict if it is still undecided; `None` if both values are the same by now.
fn conflict(draft: &Draft, clash: Clash) -> Option<Conflict> {
    let value = edit::at(&draft.value, &clash.path).clone();
    let is_decided = edit::at(&draft.live, &clash.path) == &value;
    (!is_decided).then(|| Conflict { draft: value, path: clash.path, base: clash.base, live: clash.live })
}

fn stored_clashes(open: &Open) -> Result<Vec<Clash>> {
    let stored: Value = serde_json::from_str(&open.conflicts)
        .map_err(|error| Error::Internal(format!("the conflicts of the draft: {error}")))?;
    let clash = |one: &Value| {
        let path = Path::parse(one["path"].as_str()?)?;
        Some(Clash { path, base: one["base"].clone(), live: one["live"].clone() })
    };
    Ok(stored.as_array().into_iter().flatten().filter_map(clash).collect())
}

/// Stores it, unless the draft or the live content has changed since it was read.
fn save(app: &App, actor: &Actor, draft: &Draft, changed: Changed) -> Result<bool> {
    let version = DraftVersion::of(draft);
    let open = Open {
        base: draft.base,
        base_toml: draft.live_toml.clone(),
        toml: changed.toml,
        conflicts: changed.conflicts.to_string(),
        saved_at: time::stored(time::now()),
        actor: actor.clone(),
    };
    app.store.write(move |connection| {
        if !version.is_current(connection)? {
            return Ok(false);
        }
        if changed.is_live {
            content_draft::close(connection)?;
        } else {
            content_draft::save(connection, &open)?;
        }
        Ok(true)
    })
}

fn require_current(connection: &Connection, draft: &Draft) -> Result<()> {
    if DraftVersion::of(draft).is_current(connection)? { Ok(()) } else { Err(Error::Changed) }
}
