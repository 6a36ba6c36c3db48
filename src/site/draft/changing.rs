//! Applies changes to the draft, and refuses those that break a rule.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{Change, Conflict, Do, Draft, Path, Unpaid, edit, lost_categories};
use crate::app::App;
use crate::error::{Error, FieldErrors, Result};
use crate::site::content::{Content, Problem};
use crate::site::revisions::LARGEST;

/// The rule that an empty text breaks, for members that were added and are not filled in yet.
const EMPTY_TEXT: &str = "this text must not be empty";

/// A draft that is to be stored.
pub(super) struct Changed {
    pub(super) toml: String,
    /// Whether it is the same as the live content.
    pub(super) is_live: bool,
    pub(super) conflicts: Value,
}

/// Applies the changes to the draft.
///
/// # Errors
/// [`Error::Invalid`] with the problems that the changes have made, by path.
pub(super) fn changed(
    app: &App,
    draft: &Draft,
    changes: &[Change],
    pictures: &BTreeSet<String>,
) -> Result<Changed> {
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
        Ok(live) => {
            app.store.read(|connection| lost_categories(connection, live, &content, Unpaid::Count))?
        }
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

/// Whether a problem is at the path of a change, above, below or beside it.
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

/// Removes the texts that a change has set from the list of texts to be confirmed.
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
pub(super) fn shown(key: &str) -> String {
    Path::parse(key).map_or_else(|| key.to_owned(), |path| path.to_string())
}
