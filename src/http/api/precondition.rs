//! `ETag` and `If-Match` of the records that organisers change. A change of an older version gets `412` and the current one.

use http::StatusCode;
use http::header::{CACHE_CONTROL, ETAG, HeaderMap, HeaderValue, IF_MATCH};
use serde::Serialize;
use serde_json::{Map, Value, json};
use warp::reply::Response;

use super::call::{created, ok};
use crate::error::{Error, Result};
use crate::http::problem;
use crate::model::Expected;

/// The condition of a request. Without `If-Match`, or with `*`, there is none.
///
/// # Errors
/// [`Error::Malformed`] for a tag that is not in quotes.
pub fn expected(headers: &HeaderMap) -> Result<Expected> {
    let mut versions = Vec::new();
    let mut is_conditional = false;
    for value in headers.get_all(IF_MATCH) {
        is_conditional = true;
        let value = value.to_str().map_err(|_| unreadable())?;
        for tag in value.split(',').map(str::trim) {
            if tag == "*" {
                return Ok(Expected::Any);
            }
            // A weak tag matches nothing here (RFC 9110, section 13.1.1).
            if tag.starts_with("W/") {
                continue;
            }
            let version = tag.strip_prefix('"').and_then(|tag| tag.strip_suffix('"'));
            versions.push(version.ok_or_else(unreadable)?.to_owned());
        }
    }
    Ok(if is_conditional { Expected::OneOf(versions) } else { Expected::Any })
}

/// A record with its version as the entity tag.
pub fn record(record: &impl Serialize, version: &str) -> Response {
    with_tag(ok(record), version)
}

/// Like [`record`], for a record that this request has created.
pub fn created_record(record: &impl Serialize, version: &str) -> Response {
    with_tag(created(record), version)
}

/// The record with its version after a change; `412` with the current one if the change expected another version.
pub fn after<T: Serialize>(
    change: Result<()>,
    current: impl FnOnce() -> Result<(T, String)>,
) -> Result<Response> {
    match change {
        Ok(()) => current().map(|(current, version)| record(&current, &version)),
        Err(Error::Changed) => current().map(|(current, version)| changed(&current, &version)),
        Err(error) => Err(error),
    }
}

/// `412` with the current record.
pub fn changed(current: &impl Serialize, version: &str) -> Response {
    changed_with(current, version, Map::new())
}

/// Like [`changed`], with more members in the problem document.
pub fn changed_with(current: &impl Serialize, version: &str, also: Map<String, Value>) -> Response {
    let mut body = problem::body(StatusCode::PRECONDITION_FAILED, &Error::Changed.to_string());
    body["current"] = json!(current);
    for (key, value) in also {
        body[key] = value;
    }
    with_tag(problem::response(StatusCode::PRECONDITION_FAILED, &body), version)
}

fn with_tag(mut response: Response, version: &str) -> Response {
    if let Ok(tag) = HeaderValue::try_from(format!("\"{version}\"")) {
        response.headers_mut().insert(ETAG, tag);
    }
    // A proxy that compresses the answer would make the tag a weak one, which no `If-Match` equals.
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store, no-transform"));
    response
}

fn unreadable() -> Error {
    Error::Malformed("If-Match is the ETag of the record, in its quotes.".into())
}
