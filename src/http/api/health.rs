//! Health checks for supervisors, and the API's description.

use http::header::CONTENT_TYPE;
use warp::Reply;
use warp::reply::Response;

use super::call::Call;
use super::openapi;
use crate::app::{DOCTOR_HEADER, DOCTOR_TOKEN};
use crate::error::Result;
use crate::store::installation;

/// `GET /healthz`: the process is alive. `showcase doctor`, which sends a token, also learns which client address the
/// server sees.
pub async fn alive(call: Call) -> Result<Response> {
    let token = call.headers.get(DOCTOR_HEADER).and_then(|value| value.to_str().ok()).map(str::to_owned);
    let Some(token) = token else { return Ok("alive\n".into_response()) };
    let stored = call.run(|app| app.store.read(|c| installation::get(c, DOCTOR_TOKEN))).await?;
    let is_doctor = stored.is_some_and(|stored| stored == token);
    let proxy = call.state.app.untrusted_proxy.address();
    let proxy = proxy.map(|address| format!("untrusted proxy {address}\n")).unwrap_or_default();
    let text =
        if is_doctor { format!("alive, seen from {}\n{proxy}", call.client.0) } else { "alive\n".to_owned() };
    Ok(text.into_response())
}

/// `GET /api/openapi.json`: the description of the API.
pub async fn description(_call: Call) -> Result<Response> {
    Ok(warp::reply::with_header(openapi::text(), CONTENT_TYPE, "application/json").into_response())
}

/// `GET /readyz`: the database answers.
pub async fn ready(call: Call) -> Result<Response> {
    call.run(|app| app.store.require_readable()).await?;
    Ok("ready\n".into_response())
}
