//! Signing in and out.

use std::time::Duration;

use http::header::{SET_COOKIE, USER_AGENT};
use serde_json::json;
use warp::reply::Response;

use super::call::{Call, no_content, no_content_with, ok};
use super::cookie::Cookie;
use super::fields::Fields;
use super::session::{require_own_origin, signed_in};
use super::sign_in_limits::Source;
use crate::admin::sessions::{self, Session, SignIn};
use crate::app::App;
use crate::error::{Error, Result};
use crate::time;

/// The delay before a failed sign-in is answered.
const FAILURE_DELAY: Duration = Duration::from_millis(500);

/// `POST /api/admin/session {password, username?}` → `204` and the cookie.
pub async fn sign_in(mut call: Call) -> Result<Response> {
    let body = call.json().await;
    let browser = known_browser(&call).await?;
    let source = browser.clone().map_or(Source::Address(call.client), Source::Known);
    require_own_origin(&call.headers, &call.state.app)?;
    call.state.sign_ins.take(&source)?;
    let body = Fields::parse(&body?)?;
    let password = required_password(&body)?;
    let username = body.text("username")?;
    let user_agent = call.headers.get(USER_AGENT).and_then(|agent| agent.to_str().ok()).map(str::to_owned);
    let sign_in = SignIn { username, password, user_agent, address: call.client.0, browser };
    let signed_in = check_in_turn(&call, &source, move |app| sessions::sign_in(app, sign_in)).await?;
    let mut response = no_content_with(Cookie::ORGANISER.set_until_closed(&call.state.app, &signed_in.token));
    let browser = Cookie::BROWSER.set(&call.state.app, &signed_in.browser, sessions::KNOWN_FOR);
    response.headers_mut().append(SET_COOKIE, browser);
    Ok(response)
}

/// The token of the request's cookie, if somebody has signed in with this browser before.
async fn known_browser(call: &Call) -> Result<Option<String>> {
    let tokens = Cookie::BROWSER.values(&call.headers, &call.state.app);
    if tokens.is_empty() {
        return Ok(None);
    }
    call.run(|app| sessions::known_browser(app, tokens)).await
}

/// `POST /api/admin/session/confirm {password}` → `204`; for ten minutes the session may change accounts
/// and end sessions.
pub async fn confirm(mut call: Call, session: Session) -> Result<Response> {
    let body = call.json().await;
    let source = Source::Known(format!("session {}", session.id));
    call.state.sign_ins.take(&source)?;
    let password = required_password(&Fields::parse(&body?)?)?;
    check_in_turn(&call, &source, move |app| sessions::confirm(app, &session, &password)).await?;
    Ok(no_content())
}

fn required_password(body: &Fields) -> Result<String> {
    body.text("password")?.ok_or_else(|| Error::field("password", "Please enter the password"))
}

/// Waits for its turn, then runs `work`, which checks a password. A failure is answered with a delay.
async fn check_in_turn<T: Send + 'static>(
    call: &Call,
    source: &Source,
    work: impl FnOnce(&App) -> Result<T> + Send + 'static,
) -> Result<T> {
    let is_known = match *source {
        Source::Known(_) => true,
        Source::Address(client) => call.run(move |app| sessions::is_known(app, client.0)).await?,
    };
    let permit = call.state.sign_ins.permit(source, is_known).await?;
    let checked = call
        .run(move |app| {
            // Held until the check is done, even if the client has disconnected.
            let _permit = permit;
            work(app)
        })
        .await;
    if checked.is_err() {
        tokio::time::sleep(FAILURE_DELAY).await;
    }
    checked
}

/// `GET /api/admin/session` → `{signedIn: true, username, expiresAt}`, or `{signedIn: false}`.
pub async fn show(call: Call) -> Result<Response> {
    let answer = match signed_in(&call).await {
        Ok(session) => json!({
            "signedIn": true, "username": session.username, "expiresAt": time::stored(session.expires_at),
        }),
        Err(Error::Unauthorised(_)) => json!({ "signedIn": false }),
        Err(error) => return Err(error),
    };
    Ok(ok(&answer))
}

/// `DELETE /api/admin/session` signs out.
pub async fn sign_out(call: Call) -> Result<Response> {
    require_own_origin(&call.headers, &call.state.app)?;
    let tokens = Cookie::ORGANISER.values(&call.headers, &call.state.app);
    call.run(move |app| tokens.iter().try_for_each(|token| sessions::sign_out(app, token))).await?;
    Ok(no_content_with(Cookie::ORGANISER.delete(&call.state.app)))
}
