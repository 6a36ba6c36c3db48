//! What there is to do before the site is announced.

use serde_json::{Value, json};
use warp::reply::Response;

use super::call::{Call, ok};
use crate::admin::sessions::Session;
use crate::door::readiness;
use crate::error::Result;
use crate::site::{self, first_steps};
use crate::time;

/// `GET /api/first-steps` → `{items, done, total}`.
pub async fn list(call: Call, _session: Session) -> Result<Response> {
    let (steps, door) = call
        .run(|app| {
            let content = site::current(&app.store)?;
            let missing =
                app.store.read(|connection| readiness::missing(connection, &content, time::now()))?;
            Ok((first_steps::list(app)?, missing))
        })
        .await?;
    let mut items: Vec<Value> = steps
        .iter()
        .map(|step| json!({ "key": step.key, "title": step.title, "detail": step.detail, "done": step.done, "view": step.view }))
        .collect();
    // Only in the week of the event, until nothing is missing.
    if !door.is_empty() {
        items.push(json!({
            "key": "door", "title": "Prepare the door", "detail": door.join(" "), "done": false, "view": null,
        }));
    }
    let done = steps.iter().filter(|step| step.done).count();
    Ok(ok(&json!({ "items": items, "done": done, "total": items.len() })))
}
