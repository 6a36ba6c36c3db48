//! The steps to take before the site is announced.

use serde_json::json;
use warp::reply::Response;

use super::call::{Call, ok};
use crate::admin::sessions::Session;
use crate::door::readiness;
use crate::error::Result;
use crate::site;
use crate::site::first_steps::{self, Step};
use crate::time;

/// `GET /api/first-steps` → `{items, done, total}`.
pub async fn list(call: Call, _session: Session) -> Result<Response> {
    let (mut steps, door) = call
        .run(|app| {
            let content = site::current(&app.store)?;
            let missing =
                app.store.read(|connection| readiness::missing(connection, &content, time::now()))?;
            Ok((first_steps::list(app)?, missing))
        })
        .await?;
    // Only in the week of the event, until nothing is missing.
    if !door.is_empty() {
        let detail = door.join(" ");
        steps.push(Step { key: "door", title: "Prepare the door", detail, done: false, view: None });
    }
    let done = steps.iter().filter(|step| step.done).count();
    Ok(ok(&json!({ "items": steps, "done": done, "total": steps.len() })))
}
