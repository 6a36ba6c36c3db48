//! The content in the browser: the draft, publishing it, and revisions.

use http::StatusCode;
use http::header::{HeaderName, HeaderValue};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value, json};
use warp::reply::Response;

use super::call::{self, Call, ok};
use super::fields::Fields;
use super::precondition;
use crate::admin::sessions::Session;
use crate::app::App;
use crate::error::{Error, FieldErrors, Result};
use crate::http::problem;
use crate::site::draft::{
    self, Change, Difference, DifferenceKind, Draft, Newer, Operation, Path, Published, as_in_file,
    as_in_json,
};
use crate::site::preview;
use crate::site::revisions::{self, RevisionView};
use crate::store::content_revisions::RevisionInfo;

/// The most changes in one request.
const MAX_CHANGES: usize = 1_000;
/// The note of the compiled-in default in the list of revisions.
const DEFAULT_NOTE: &str = "The content that came with the program";
/// The policy of a preview. It runs nothing and sends nothing, and only our own pages may frame it.
const PREVIEW_POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self' data:; font-src 'self'; \
                              form-action 'none'; base-uri 'none'; frame-ancestors 'self'";
const ROBOTS: HeaderName = HeaderName::from_static("x-robots-tag");

pub async fn show(call: Call, _session: Session) -> Result<Response> {
    let draft = call.run(draft::get).await?;
    Ok(precondition::record(&draft_json(&draft)?, &draft.version()))
}

/// `PATCH /api/content/draft {changes}` → the draft as it is then.
pub async fn change(mut call: Call, session: Session) -> Result<Response> {
    let changes = changes(call.json().await?)?;
    let expected = precondition::expected(&call.headers)?;
    call.run(move |app| {
        let saved = draft::change(app, &session.actor(), &changes, &expected);
        or_changed(app, &changes, saved.and_then(|draft| draft_response(&draft)))
    })
    .await
}

/// `POST /api/content/draft/discard` → the draft without changes.
pub async fn discard(mut call: Call, session: Session) -> Result<Response> {
    call.discard_body().await?;
    let expected = precondition::expected(&call.headers)?;
    call.run(move |app| {
        let discarded = draft::discard(app, &session.actor(), &expected);
        or_changed(app, &[], discarded.and_then(|draft| draft_response(&draft)))
    })
    .await
}

/// `POST /api/content/draft/publish {note?, over?}` → the revision that is live then. `over` is the revision that was published
/// after the draft was begun, and that this one is to replace.
pub async fn publish(mut call: Call, session: Session) -> Result<Response> {
    let body = Fields::parse(&call.json_object_if_any().await?)?;
    let note = body.text("note")?.unwrap_or_default();
    let over = body.whole_number("over")?;
    let expected = precondition::expected(&call.headers)?;
    call.run(move |app| {
        let published = draft::publish(app, &session.actor(), &note, over, &expected);
        let answer = published.map(|published| match published {
            Published::Done(revision) => ok(&revision_json(&revision)),
            Published::Outdated(newer) => outdated(&newer),
        });
        or_changed(app, &[], answer)
    })
    .await
}

/// `GET /api/content/revisions` → `{items}`, the newest first.
pub async fn revisions(call: Call, _session: Session) -> Result<Response> {
    let shown = call.run(revisions::list_for_organisers).await?;
    Ok(ok(&json!({ "items": shown.iter().map(view_json).collect::<Vec<_>>() })))
}

/// `GET /api/content/revisions/<n>` with what it changed.
pub async fn revision(call: Call, _session: Session) -> Result<Response> {
    let number = call.id();
    call.run(move |app| {
        let (before, differences) = revisions::difference(app, number)?;
        let mut all = revisions::list_for_organisers(app)?.into_iter();
        let shown = all.find(|shown| shown.info.as_ref().map_or(0, |info| info.id) == number);
        let mut json = shown.map_or(Value::Null, |shown| view_json(&shown));
        json["before"] = json!(before);
        json["changes"] = match differences {
            Some(differences) => differences.iter().map(difference_json).collect(),
            None => Value::Null,
        };
        Ok(ok(&json))
    })
    .await
}

/// `POST /api/content/revisions/<n>/restore` → the revision that is live then.
pub async fn restore(mut call: Call, session: Session) -> Result<Response> {
    call.discard_body().await?;
    let (number, expected) = (call.id(), precondition::expected(&call.headers)?);
    call.run(move |app| {
        let restored = revisions::restore(app, number, &session.actor(), &expected);
        or_changed(app, &[], restored.map(|revision| ok(&revision_json(&revision))))
    })
    .await
}

/// `GET /api/content/preview/<page>?asOf=` → the page as the draft would show it.
pub async fn preview(call: Call, _session: Session) -> Result<Response> {
    let name = call.name();
    let as_of = call.query_value("asOf");
    let html = call.run(move |app| preview::page(app, &name, as_of.as_deref())).await?;
    let mut response = call::html(html, HeaderValue::from_static(PREVIEW_POLICY));
    response.headers_mut().insert(ROBOTS, HeaderValue::from_static("noindex"));
    Ok(response)
}

fn draft_response(draft: &Draft) -> Result<Response> {
    Ok(precondition::record(&draft_json(draft)?, &draft.version()))
}

/// The answer, or that of [`changed`] if another version was expected.
fn or_changed(app: &App, changes: &[Change], answer: Result<Response>) -> Result<Response> {
    match answer {
        Err(Error::Changed) => changed(app, changes),
        answer => answer,
    }
}

/// `412` with the current draft, and with the current value for each change that was sent.
fn changed(app: &App, changes: &[Change]) -> Result<Response> {
    let current = draft::get(app)?;
    let yours: Vec<Value> = changes
        .iter()
        .map(|change| {
            let value = match &change.operation {
                Operation::Set(value) | Operation::Insert(_, value) => as_in_json(value),
                Operation::Move(to) => json!(to),
            };
            json!({ "path": change.sent, "value": value, "theirs": current.at(&change.path) })
        })
        .collect();
    let also = Map::from_iter([("yours".to_owned(), Value::from(yours))]);
    Ok(precondition::changed_with(&draft_json(&current)?, &current.version(), also))
}

/// `409` with what was published after the draft was begun.
fn outdated(newer: &Newer) -> Response {
    let sentence = format!(
        "Revision {} was published after this draft was begun. Publish the draft in its place, or discard it.",
        newer.revision
    );
    let mut body = problem::body(StatusCode::CONFLICT, &sentence);
    body["newer"] = newer_json(newer);
    problem::response(StatusCode::CONFLICT, &body)
}

#[derive(Deserialize)]
struct SentChanges {
    changes: Vec<SentChange>,
}

/// Has either a `value`, or `insert` with a `value`, or `move`.
#[derive(Deserialize)]
struct SentChange {
    path: String,
    /// `Some(Null)` if it was sent as null.
    #[serde(default, deserialize_with = "some_value")]
    value: Option<Value>,
    /// The position in a list, from 0.
    insert: Option<usize>,
    #[serde(rename = "move")]
    to: Option<usize>,
}

fn some_value<'de, D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

/// The changes of a request.
fn changes(body: Value) -> Result<Vec<Change>> {
    let sent: SentChanges = serde_json::from_value(body)
        .map_err(|error| Error::Malformed(format!("Please send {{\"changes\": [...]}}: {error}.")))?;
    if sent.changes.len() > MAX_CHANGES {
        return Err(Error::Malformed(format!("Please send at most {MAX_CHANGES} changes at once.")));
    }
    let mut unknown = FieldErrors::new();
    let mut changes = Vec::with_capacity(sent.changes.len());
    for SentChange { path: sent, value, insert, to } in sent.changes {
        let operation = match (insert, to, value.map(as_in_file)) {
            (None, None, Some(value)) => Operation::Set(value),
            (Some(index), None, Some(value)) if !value.is_null() => Operation::Insert(index, value),
            (None, Some(to), None) => Operation::Move(to),
            _ => {
                let rule = "A change has either a value, or insert with a value, or move.";
                return Err(Error::Malformed(rule.into()));
            }
        };
        match Path::parse(&sent) {
            Some(path) => changes.push(Change { sent, path, operation }),
            None => drop(unknown.insert(sent, "there is no such field".into())),
        }
    }
    if unknown.is_empty() { Ok(changes) } else { Err(Error::Invalid(unknown)) }
}

fn draft_json(draft: &Draft) -> Result<Value> {
    let content = serde_json::to_value(&draft.content)
        .map_err(|error| Error::Internal(format!("the content as JSON: {error}")))?;
    Ok(json!({
        "content": content,
        "base": draft.base,
        "changes": draft.changes.iter().map(difference_json).collect::<Vec<_>>(),
        "newer": draft.newer.as_ref().map(newer_json),
        "problems": draft.problems,
        "samples": draft.samples(),
        "unconfirmed": draft.unconfirmed(),
        "savedAt": draft.saved.as_ref().map(|(at, _)| at),
        "by": draft.saved.as_ref().map(|(_, by)| by),
    }))
}

fn difference_json(difference: &Difference) -> Value {
    let path = difference.path.to_string();
    match &difference.kind {
        DifferenceKind::Changed { before, value } => {
            json!({ "kind": "changed", "path": path, "before": as_in_json(before), "value": as_in_json(value) })
        }
        DifferenceKind::Added { value } => {
            json!({ "kind": "added", "path": path, "value": as_in_json(value) })
        }
        DifferenceKind::Removed { before } => {
            json!({ "kind": "removed", "path": path, "before": as_in_json(before) })
        }
        DifferenceKind::Moved { from, value } => {
            json!({ "kind": "moved", "path": path, "from": from, "value": as_in_json(value) })
        }
        DifferenceKind::Confirmed { value } => {
            json!({ "kind": "confirmed", "path": path, "value": as_in_json(value) })
        }
    }
}

fn newer_json(newer: &Newer) -> Value {
    json!({ "revision": newer.revision, "changes": newer.changes.iter().map(difference_json).collect::<Vec<_>>() })
}

fn revision_json(info: &RevisionInfo) -> Value {
    json!({ "number": info.id, "note": info.note, "at": info.created_at, "by": info.actor })
}

fn view_json(shown: &RevisionView) -> Value {
    let mut json = match &shown.info {
        Some(info) => revision_json(info),
        None => json!({ "number": 0, "note": DEFAULT_NOTE, "at": null, "by": null }),
    };
    json["isLive"] = json!(shown.is_live);
    json
}
