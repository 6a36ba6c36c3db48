//! The draft of the content: what organisers change in the browser before they publish it. There is one draft for all of
//! them. It is a content file, so that publishing it is an import, and the comments of the file before it are kept.
//!
//! A draft always has the right keys and types. Values that break a rule elsewhere than where they were changed are kept
//! as problems, and a draft with problems is not published.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::Connection;
use serde_json::{Value, json};

use super::content::edit::{self, Clash};
pub use super::content::edit::{Change, Difference, Do, Path, What, as_in_file, as_in_json};
use super::content::{Content, Problem};
use super::publish;
use super::revisions::{LARGEST, LONGEST_NOTE};
use crate::app::App;
use crate::error::{Error, FieldErrors, Result};
use crate::model::{Actor, Expected};
use crate::store::content_draft::{self, Open};
use crate::store::content_revisions::{self, Head, NewRevision};
use crate::store::{audit, registrations};
use crate::time;

/// How often a change is tried again when another one was faster.
const TRIES: usize = 5;
/// The rule that a text which is still to be written breaks.
const EMPTY_TEXT: &str = "this text must not be empty";

/// The draft; without an open one, what is live.
pub struct Draft {
    pub content: Content,
    /// The content with the keys of the file.
    pub value: Value,
    pub toml: String,
    /// The live revision.
    pub base: i64,
    /// What differs from the live content.
    pub changes: Vec<Difference>,
    pub conflicts: Vec<Conflict>,
    /// By path. With any of them it is not published.
    pub problems: BTreeMap<String, String>,
    /// When and by whom it was saved; `None`: no draft is open.
    pub saved: Option<(String, Actor)>,
    live_toml: String,
    live: Value,
    counter: i64,
}

/// What both the draft and an import, rollback or restore have changed.
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
        edit::as_in_json(edit::at(&self.value, path))
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

/// The draft, moved onto what is live now.
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
    let lost = lost_categories(connection, &draft.content, &content, true)?;
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

/// What is still undecided of it: nothing if both values are the same by now.
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

/// A draft that is to be stored.
struct Changed {
    toml: String,
    /// Whether it is what is live already.
    is_live: bool,
    conflicts: Value,
}

fn changed(app: &App, draft: &Draft, changes: &[Change], pictures: &BTreeSet<String>) -> Result<Changed> {
    let mut value = draft.value.clone();
    let mut errors = FieldErrors::new();
    for change in changes {
        match edit::apply(&mut value, change) {
            Ok(()) => confirm(&mut value, change),
            Err(message) => drop(errors.insert(change.sent.clone(), message)),
        }
    }
    if !errors.is_empty() {
        return Err(Error::Invalid(errors));
    }
    let toml = edit::write(&draft.toml, &draft.value, &value).map_err(Error::Internal)?;
    if toml.len() > LARGEST {
        let sent = changes.last().map_or("", |change| &change.sent);
        return Err(Error::field(sent, "the content cannot be larger than 1 MB"));
    }
    let (content, problems) = Content::read(&toml, pictures).map_err(|problems| {
        Error::Invalid(
            problems.into_iter().map(|problem| (sent_as(&problem.key, changes), problem.rule)).collect(),
        )
    })?;
    let live = Content::read(&draft.live_toml, pictures).map(|(live, _)| live);
    let lost = match &live {
        Ok(live) => app.store.read(|connection| lost_categories(connection, live, &content, true))?,
        Err(_) => Vec::new(),
    };
    let is_new = |problem: &Problem| draft.problems.get(&shown(&problem.key)) != Some(&problem.rule);
    let concerns = |problem: &Problem| changes.iter().any(|change| concerns(problem, change));
    let refused = problems.into_iter().filter(|problem| is_new(problem) && concerns(problem));
    let mut refused: FieldErrors =
        refused.map(|problem| (sent_as(&problem.key, changes), problem.rule)).collect();
    for problem in lost.into_iter().filter(is_new) {
        let changed = changes.iter().find(|change| is_about_categories(&change.path));
        refused
            .insert(changed.map_or_else(|| shown(&problem.key), |change| change.sent.clone()), problem.rule);
    }
    if !refused.is_empty() {
        return Err(Error::Invalid(refused));
    }
    let value = edit::value(&content);
    let left = changes.iter().fold(draft.conflicts.clone(), still_undecided);
    let left =
        left.iter().map(|one| json!({ "path": one.path.to_string(), "base": one.base, "live": one.live }));
    Ok(Changed { is_live: value == draft.live, toml, conflicts: left.collect() })
}

fn is_about_categories(path: &Path) -> bool {
    Path::parse("categories").is_some_and(|categories| path.is_within(&categories))
}

/// Whether a problem is at, under or next to what a change has changed.
fn concerns(problem: &Problem, change: &Change) -> bool {
    let Some(path) = Path::parse(&problem.key) else { return true };
    let (target, is_insert) = match (&change.what, change.path.member()) {
        (Do::Insert(index, _), _) => (change.path.index(*index), true),
        (Do::Set(Value::Null), Some((list, _))) => return path == list,
        (Do::Move(_), Some((list, _))) => (list, false),
        _ => (change.path.clone(), false),
    };
    if is_insert && problem.rule == EMPTY_TEXT {
        return false;
    }
    let is_beside =
        target.member().is_none() && path.parent() == target.parent() && target.parent().is_some();
    path.is_within(&target) || target.is_within(&path) || is_beside
}

/// The conflicts that a change leaves undecided, with their paths as they are after it.
fn still_undecided(conflicts: Vec<Conflict>, change: &Change) -> Vec<Conflict> {
    let followed =
        |conflict: Conflict| Some(Conflict { path: followed(&conflict.path, change)?, ..conflict });
    conflicts.into_iter().filter_map(followed).collect()
}

/// Where a value is after a change. `None` if the change has set or removed it.
fn followed(path: &Path, change: &Change) -> Option<Path> {
    match (&change.what, change.path.member()) {
        (Do::Insert(at, _), _) => {
            path.moved(&change.path, |index| Some(if index >= *at { index + 1 } else { index }))
        }
        (Do::Set(Value::Null), Some((list, gone))) => path.moved(&list, |index| match index {
            index if index == gone => None,
            index if index > gone => Some(index - 1),
            index => Some(index),
        }),
        (Do::Move(to), Some((list, from))) => path.moved(&list, |index| {
            let without = if index > from { index - 1 } else { index };
            Some(match index {
                index if index == from => *to,
                _ if without >= *to => without + 1,
                _ => without,
            })
        }),
        _ if path.is_within(&change.path) => None,
        _ => Some(path.clone()),
    }
}

/// Takes the texts that a change has set from the list of those that are to be confirmed.
fn confirm(content: &mut Value, change: &Change) {
    let Some(Value::Array(listed)) = content.get("unconfirmed") else { return };
    let left = listed.iter().filter_map(|key| {
        let path = Path::parse(key.as_str()?)?;
        Some(Value::from(followed(&path, change)?.in_file()))
    });
    content["unconfirmed"] = left.collect();
}

/// The path of a problem as the request spelt it, or else as JSON does.
fn sent_as(key: &str, changes: &[Change]) -> String {
    let path = Path::parse(key);
    let same = changes.iter().find(|change| Some(&change.path) == path.as_ref());
    let inside = || {
        let is_set = |change: &&Change| matches!(&change.what, Do::Set(value) if !value.is_null());
        let path = path.as_ref()?;
        changes.iter().filter(is_set).find(|change| change.path.is_within(path))
    };
    same.or_else(inside).map_or_else(|| shown(key), |change| change.sent.clone())
}

/// The key of a problem, as JSON spells it.
fn shown(key: &str) -> String {
    Path::parse(key).map_or_else(|| key.to_owned(), |path| path.to_string())
}

/// Stores it, unless the draft or the live content has changed since it was read.
fn save(app: &App, actor: &Actor, draft: &Draft, changed: Changed) -> Result<bool> {
    let (base, counter) = (draft.base, draft.counter);
    let open = Open {
        base,
        base_toml: draft.live_toml.clone(),
        toml: changed.toml,
        conflicts: changed.conflicts.to_string(),
        saved_at: time::stored(time::now()),
        actor: actor.clone(),
    };
    app.store.write(move |connection| {
        if !is_current(connection, base, counter)? {
            return Ok(false);
        }
        if changed.is_live {
            content_draft::close(connection)?
        } else {
            content_draft::save(connection, &open)?
        }
        Ok(true)
    })
}

fn require_current(connection: &Connection, draft: &Draft) -> Result<()> {
    if is_current(connection, draft.base, draft.counter)? { Ok(()) } else { Err(Error::Changed) }
}

fn is_current(connection: &Connection, base: i64, counter: i64) -> Result<bool> {
    // The live revision may be older than the newest one, which this program may not be able to read.
    let is_live = base == 0 || content_revisions::get(connection, base)?.is_some();
    let newer = content_revisions::before(connection, i64::MAX)?.filter(|newest| newest.id != base);
    let is_newest = newer.is_none_or(|newest| Content::parse(&newest.toml).is_err());
    Ok(is_live && is_newest && content_draft::version(connection)? == counter)
}

/// The categories and subcategories that entries are in, that `live` has and `content` does not. `with_unpaid`: an entry
/// that waits for its payment counts too. An import may remove its category: it can still be paid.
pub(super) fn lost_categories(
    connection: &Connection,
    live: &Content,
    content: &Content,
    with_unpaid: bool,
) -> Result<Vec<Problem>> {
    let has = |content: &Content, slug: &str, subcategory: &str| {
        let mut categories = content.categories.iter();
        categories.any(|category| {
            category.slug == slug
                && (subcategory.is_empty() || category.subcategories.iter().any(|one| one == subcategory))
        })
    };
    let mut lost = Vec::new();
    for used in registrations::categories_in_use(connection, with_unpaid)? {
        if !has(live, &used.category, &used.subcategory) || has(content, &used.category, &used.subcategory) {
            continue;
        }
        let at = content.categories.iter().position(|category| category.slug == used.category);
        let entries =
            if used.entries == 1 { "1 entry is".to_owned() } else { format!("{} entries are", used.entries) };
        lost.push(Problem {
            line: 1,
            key: at.map_or_else(
                || "categories".to_owned(),
                |index| format!("categories[{index}].subcategories"),
            ),
            rule: format!(
                "{entries} in {}, such as number {}; it has to stay",
                live.nomination(&used.category, &used.subcategory),
                used.example
            ),
        });
    }
    Ok(lost)
}
