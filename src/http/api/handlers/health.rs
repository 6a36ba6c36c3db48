//! For supervisors: alive, and ready to serve.

use std::sync::Arc;

use http::HeaderMap;
use http::header::CONTENT_TYPE;
use warp::Reply;

use super::blocking;
use crate::app::{DOCTOR_HEADER, DOCTOR_TOKEN};
use crate::error::Result;
use crate::http::api::openapi;
use crate::http::api::state::Desk;
use crate::http::client_ip::Client;
use crate::store::settings;

/// `GET /healthz`: the process answers, and tells `showcase doctor` whom it takes it for.
pub async fn alive(desk: Arc<Desk>, client: Client, headers: HeaderMap) -> Result<impl Reply> {
    let said = headers.get(DOCTOR_HEADER).and_then(|value| value.to_str().ok()).map(str::to_owned);
    let Some(said) = said else { return Ok("alive\n".to_owned()) };
    let known = blocking(&desk.app, |app| app.store.read(|c| settings::get(c, DOCTOR_TOKEN))).await?;
    let is_doctor = known.is_some_and(|known| known == said);
    Ok(if is_doctor { format!("alive, seen from {}\n", client.0) } else { "alive\n".to_owned() })
}

/// `GET /api/openapi.json`: the description of the API.
pub fn description() -> impl Reply {
    warp::reply::with_header(openapi::text(), CONTENT_TYPE, "application/json")
}

/// `GET /readyz`: the database answers.
pub async fn ready(desk: Arc<Desk>) -> Result<impl Reply> {
    blocking(&desk.app, |app| app.store.changes_seen()).await?;
    Ok("ready\n")
}
