//! For supervisors: alive, and ready to serve.

use std::sync::Arc;

use warp::Reply;

use super::blocking;
use crate::error::Result;
use crate::web::desk::Desk;

/// `GET /healthz`: the process answers.
pub fn alive() -> impl Reply {
    "alive\n"
}

/// `GET /readyz`: the database answers.
pub async fn ready(desk: Arc<Desk>) -> Result<impl Reply> {
    blocking(&desk.app, |app| app.store.changes_seen()).await?;
    Ok("ready\n")
}
