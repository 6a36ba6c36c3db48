//! What there is to do before the site is announced.

use serde_json::{Value, json};
use warp::reply::Response;

use super::call::{Call, ok};
use crate::admin::sessions::Session;
use crate::error::Result;
use crate::site::first_steps;

/// `GET /api/first-steps` → `{items, done, total}`.
pub async fn list(call: Call, _session: Session) -> Result<Response> {
    let steps = call.run(first_steps::list).await?;
    let items: Vec<Value> = steps
        .iter()
        .map(|step| json!({ "key": step.key, "title": step.title, "detail": step.detail, "done": step.done, "view": step.view }))
        .collect();
    let done = steps.iter().filter(|step| step.done).count();
    Ok(ok(&json!({ "items": items, "done": done, "total": steps.len() })))
}
