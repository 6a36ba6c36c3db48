//! Signing in and out.

use std::sync::Arc;
use std::time::Duration;

use http::StatusCode;
use http::header::{HeaderMap, SET_COOKIE, USER_AGENT};
use serde_json::{Value, json};
use warp::Reply;
use warp::reply::Response;

use super::blocking;
use crate::admin::sessions::{self, Session, SignIn};
use crate::app::App;
use crate::error::{Error, Result};
use crate::http::api::fields::Fields;
use crate::http::api::session::{cookie, require_own_origin, tokens};
use crate::http::api::state::Desk;
use crate::http::client_ip::Client;
use crate::time;

/// A wrong password is answered this late.
const SLOWED: Duration = Duration::from_millis(500);

/// `POST /api/admin/session {password, username?}` → `204` and the cookie.
pub async fn sign_in(
    desk: Arc<Desk>,
    client: Client,
    headers: HeaderMap,
    body: Result<Value>,
) -> Result<Response> {
    desk.sign_ins.check(client)?;
    require_own_origin(&headers, &desk.app)?;
    let body = Fields::of(&body?)?;
    let password = required_password(&body)?;
    let username = body.text("username")?;
    let user_agent = headers.get(USER_AGENT).and_then(|agent| agent.to_str().ok()).map(str::to_owned);
    let sign_in = SignIn { username, password, user_agent, address: client.0 };
    let token = checking(&desk, client, move |app| sessions::sign_in(app, sign_in)).await?;
    Ok(no_content(cookie(&desk.app, Some(&token))))
}

/// `POST /api/admin/session/confirm {password}` → `204`: for ten minutes the session may change who can sign in.
pub async fn confirm(
    desk: Arc<Desk>,
    client: Client,
    session: Result<Session>,
    body: Result<Value>,
) -> Result<impl Reply> {
    let session = session?;
    desk.sign_ins.check(client)?;
    let password = required_password(&Fields::of(&body?)?)?;
    checking(&desk, client, move |app| sessions::confirm(app, &session, &password)).await?;
    Ok(StatusCode::NO_CONTENT)
}

fn required_password(body: &Fields) -> Result<String> {
    body.text("password")?.ok_or_else(|| Error::field("password", "Please enter the password"))
}

/// Runs what checks a password, when it is this client's turn. A failure is answered late.
async fn checking<T: Send + 'static>(
    desk: &Desk,
    client: Client,
    work: impl FnOnce(&App) -> Result<T> + Send + 'static,
) -> Result<T> {
    let is_known = blocking(&desk.app, move |app| sessions::is_known(app, client.0)).await?;
    let permit = desk.sign_ins.permit(client, is_known).await?;
    let checked = blocking(&desk.app, move |app| {
        // Held until the check is over, also when the client has left.
        let _permit = permit;
        work(app)
    })
    .await;
    if checked.is_err() {
        tokio::time::sleep(SLOWED).await;
    }
    checked
}

/// `GET /api/admin/session` → `{signedIn: true, username, expiresAt}`, or `{signedIn: false}`.
pub async fn show(session: Result<Session>) -> Result<Response> {
    let told = match session {
        Ok(session) => json!({
            "signedIn": true, "username": session.username, "expiresAt": time::stored(session.expires_at),
        }),
        Err(Error::Unauthorised(_)) => json!({ "signedIn": false }),
        Err(error) => return Err(error),
    };
    Ok(warp::reply::json(&told).into_response())
}

/// `DELETE /api/admin/session` signs out.
pub async fn sign_out(desk: Arc<Desk>, headers: HeaderMap) -> Result<Response> {
    require_own_origin(&headers, &desk.app)?;
    let tokens: Vec<String> = tokens(&headers, &desk.app).map(str::to_owned).collect();
    blocking(&desk.app, move |app| tokens.iter().try_for_each(|token| sessions::sign_out(app, token)))
        .await?;
    Ok(no_content(cookie(&desk.app, None)))
}

fn no_content(cookie: http::HeaderValue) -> Response {
    let mut response = StatusCode::NO_CONTENT.into_response();
    response.headers_mut().insert(SET_COOKIE, cookie);
    response
}
