//! Applies changes to the draft, and refuses those that break a rule.

use rusqlite::Connection;
use serde_json::Value;

use super::{Change, Draft, Operation, Path, edit};
use crate::error::{Error, FieldErrors, Result};
use crate::site::content::edit::Step;
use crate::site::content::{Content, Problem};
use crate::site::revisions::MAX_BYTES;
use crate::site::{lost, picture_names};
use crate::store::registrations::Unpaid;

/// The content file after the changes, and its value.
///
/// # Errors
/// [`Error::Invalid`] with the problems that the changes have made, by path.
pub(super) fn apply(connection: &Connection, draft: &Draft, changes: &[Change]) -> Result<(String, Value)> {
    let mut value = draft.value.clone();
    let mut errors = FieldErrors::new();
    for change in changes {
        if let Err(message) = edit::apply(&mut value, change) {
            errors.insert(change.sent.clone(), message);
        }
    }
    if !errors.is_empty() {
        return Err(Error::Invalid(errors));
    }
    if !draft.content.unconfirmed.is_empty() {
        value["unconfirmed"] = still_unconfirmed(draft, &value, changes);
    }
    let toml = edit::write(&draft.toml, &draft.value, &value).map_err(Error::Internal)?;
    if toml.len() > MAX_BYTES {
        let sent = changes.last().map_or("", |change| &change.sent);
        return Err(Error::field(sent, "the content cannot be larger than 1 MB"));
    }
    let (content, problems) = Content::read(&toml, &picture_names(connection)?).map_err(|problems| {
        Error::Invalid(problems.into_iter().map(|problem| by_path(problem, changes)).collect())
    })?;
    let is_new = |problem: &Problem| draft.problems.get(&json_path(&problem.key)) != Some(&problem.rule);
    let is_near =
        |problem: &Problem| Path::parse(&problem.key).is_none_or(|path| is_near_change(&path, changes));
    let broken = problems.into_iter().filter(is_near);
    // Lost lists are reported, but refuse no change: the organiser adds lists one after the other.
    let lost = lost::categories(connection, &draft.live, &content, Unpaid::Count)?;
    let refused: FieldErrors =
        broken.chain(lost).filter(is_new).map(|problem| by_path(problem, changes)).collect();
    if refused.is_empty() { Ok((toml, edit::value(&content))) } else { Err(Error::Invalid(refused)) }
}

/// Whether a path is that of a change, one of its ancestors or descendants, or of a sibling.
fn is_near_change(path: &Path, changes: &[Change]) -> bool {
    changes.iter().any(|change| {
        let is_beside = change.path.member().is_none()
            && path.parent().is_some()
            && path.parent() == change.path.parent();
        path.is_within(&change.path) || change.path.is_within(path) || is_beside
    })
}

/// The message of a problem by its path, as the request spelt that or, if the path was not sent, as JSON does.
fn by_path(problem: Problem, changes: &[Change]) -> (String, String) {
    let path = Path::parse(&problem.key);
    let sent = changes.iter().find(|change| Some(&change.path) == path.as_ref());
    let inside =
        || changes.iter().find(|change| path.as_ref().is_some_and(|path| change.path.is_within(path)));
    let key = sent.or_else(inside).map_or_else(|| json_path(&problem.key), |change| change.sent.clone());
    (key, problem.rule)
}

/// The list of texts to be confirmed, without those that a change has set. A text that has moved within its list is found
/// again by what it says.
fn still_unconfirmed(draft: &Draft, value: &Value, changes: &[Change]) -> Value {
    let is_set = |path: &Path| {
        let sets = |change: &&Change| matches!(change.operation, Operation::Set(_));
        changes.iter().filter(sets).any(|change| &change.path == path)
    };
    let paths = draft.content.unconfirmed.iter().filter_map(|key| Path::parse(key));
    let left = paths.filter(|path| !is_set(path)).filter_map(|path| {
        let text = edit::at(&draft.value, &path);
        let is_in_place = edit::at(value, &path) == text;
        let path = if is_in_place { path } else { find(value, path.steps(), text, Path::default())? };
        Some(Value::from(path.in_file()))
    });
    left.collect()
}

/// The first path with this value that differs from `steps` in nothing but positions in lists.
fn find(value: &Value, steps: &[Step], wanted: &Value, path: Path) -> Option<Path> {
    match (steps, value) {
        ([], _) => (value == wanted).then_some(path),
        ([Step::Key(key), rest @ ..], _) => find(value.get(key)?, rest, wanted, path.key(key)),
        ([Step::Index(_), rest @ ..], Value::Array(members)) => {
            let mut members = members.iter().enumerate();
            members.find_map(|(index, member)| find(member, rest, wanted, path.index(index)))
        }
        _ => None,
    }
}

/// The key of a problem, as JSON spells it.
pub(super) fn json_path(key: &str) -> String {
    Path::parse(key).map_or_else(|| key.to_owned(), |path| path.to_string())
}
