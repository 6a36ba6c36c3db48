//! Signing in and out.

use std::sync::Arc;
use std::time::Duration;

use http::StatusCode;
use http::header::{HeaderMap, SET_COOKIE, USER_AGENT};
use serde_json::{Value, json};
use tokio::time::timeout;
use warp::Reply;
use warp::reply::Response;

use super::blocking;
use crate::error::{Error, Result};
use crate::session::{self, Session};
use crate::time;
use crate::web::client::Client;
use crate::web::desk::Desk;
use crate::web::fields::Fields;
use crate::web::session::{cookie, require_own_origin, tokens};

/// A wrong password is answered this late.
const SLOWED: Duration = Duration::from_millis(500);
/// How long a sign-in stands in line before it is asked to come back.
const LINE: Duration = Duration::from_secs(10);

/// `POST /api/admin/session {password, username?}` → `204` and the cookie.
pub async fn sign_in(
    desk: Arc<Desk>,
    client: Client,
    headers: HeaderMap,
    body: Result<Value>,
) -> Result<Response> {
    desk.sign_ins.check(client)?;
    require_own_origin(&headers, &desk.app.public_url())?;
    let body = Fields::of(&body?)?;
    let password = body.text("password")?;
    let password = password.ok_or_else(|| Error::field("password", "Please enter the password"))?;
    let username = body.text("username")?;
    let agent = headers.get(USER_AGENT).and_then(|agent| agent.to_str().ok()).map(str::to_owned);
    // Each check takes 19 MiB and a core for a moment: a crowd waits in line, each in its turn.
    let turn =
        timeout(LINE, desk.password_checks.acquire()).await.map_err(|_| Error::TooMany(LINE.as_secs()))?;
    let signed = blocking(&desk.app, move |app| {
        session::sign_in(app, username.as_deref(), &password, agent.as_deref())
    })
    .await;
    // Whoever is slowed down holds up nobody else.
    drop(turn);
    if signed.is_err() {
        tokio::time::sleep(SLOWED).await;
    }
    let token = signed?;
    Ok(no_content(cookie(&desk.app, Some(&token))))
}

/// `GET /api/admin/session` → who is signed in, until when.
pub async fn show(session: Result<Session>) -> Result<Response> {
    let session = session?;
    let expires_at = time::stored(session.expires_at);
    Ok(warp::reply::json(&json!({ "username": session.username, "expiresAt": expires_at })).into_response())
}

/// `DELETE /api/admin/session` signs out.
pub async fn sign_out(desk: Arc<Desk>, headers: HeaderMap) -> Result<Response> {
    require_own_origin(&headers, &desk.app.public_url())?;
    for token in tokens(&headers).map(str::to_owned).collect::<Vec<_>>() {
        blocking(&desk.app, move |app| session::sign_out(app, &token)).await?;
    }
    Ok(no_content(cookie(&desk.app, None)))
}

fn no_content(cookie: http::HeaderValue) -> Response {
    let mut response = StatusCode::NO_CONTENT.into_response();
    response.headers_mut().insert(SET_COOKIE, cookie);
    response
}
