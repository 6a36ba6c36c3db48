//! The links, codes and sessions of competitors. Those of judges use the same handlers with another audience.

use std::time::Duration;

use serde_json::json;
use tokio::time::{Instant, sleep, sleep_until};
use warp::reply::Response;

use super::super::call::{Call, accepted, no_content_with, ok};
use super::super::caller::MAX_BODY;
use super::super::cookie::Cookie;
use super::super::fields::Fields;
use super::super::session::{require_own_origin, signed_in_by_link};
use super::PortalIsOpen;
use crate::app::App;
use crate::error::{Error, Result};
use crate::http::blocking::blocking;
use crate::portal::access::{self, Audience, SESSION_IDLE};

/// The minimum time between receiving a code and answering, so that timing does not reveal whether the address has one.
const CODE_ANSWERED_AFTER: Duration = Duration::from_millis(500);
/// The random delay before a link is queued, so that the timing of a later request does not reveal whether the address is
/// known.
const LINK_DELAY_MS: std::ops::Range<u64> = 200..1500;

/// `POST /api/artist/links {email}` → `202` for any text. The email is queued after the response, so that the response time reveals
/// nothing either.
pub async fn send_link(call: Call, _: PortalIsOpen) -> Result<Response> {
    let detail = "If there is a paid entry for this address, an email with a link is on its way.";
    send(call, detail, access::send_link).await
}

/// Responds `202`, then calls `queue`, which sends the link if the address is known.
pub async fn send(mut call: Call, detail: &str, queue: fn(&App, &str) -> Result<bool>) -> Result<Response> {
    let body = call.json().await;
    require_own_origin(&call.headers, &call.state.app)?;
    call.state.writes.take(call.client)?;
    let email = Fields::parse(&body?)?.text("email")?;
    let email = email.ok_or_else(|| Error::field("email", "Please enter your email address"))?;
    let permit = call.state.queued_links.clone().try_acquire_owned().map_err(|_| Error::Crowded)?;
    let app = call.state.app.clone();
    tokio::spawn(async move {
        let _permit = permit;
        // The next request must not wait for the one write of a known address.
        sleep(Duration::from_millis(rand::random_range(LINK_DELAY_MS))).await;
        if let Err(error) = blocking(&app, move |app| queue(app, &email)).await {
            tracing::error!("a sign-in link could not be queued: {}", error.for_log());
        }
    });
    Ok(accepted(&json!({ "detail": detail })))
}

/// `POST /api/artist/session {token}` or `{email, code}` → `204` and the cookie.
pub async fn sign_in(mut call: Call, audience: Audience) -> Result<Response> {
    let body = call.json().await;
    // A client that sends its body slowly must not use up the time.
    let started = Instant::now();
    let network = call.client.network();
    call.state.link_failures.check(network)?;
    require_own_origin(&call.headers, &call.state.app)?;
    let body = Fields::parse(&body?)?;
    let signed_in = match (body.text("token")?, body.text("email")?, body.text("code")?) {
        (Some(token), ..) => call.run(move |app| access::sign_in_with_link(app, audience, &token)).await,
        (None, Some(email), Some(code)) => {
            let signed_in =
                call.run(move |app| access::sign_in_with_code(app, audience, &email, &code)).await;
            sleep_until(started + CODE_ANSWERED_AFTER).await;
            signed_in
        }
        (None, None, _) => return Err(Error::field("email", "Please enter your email address")),
        (None, _, None) => return Err(Error::field("code", "Please enter the code from your email")),
    };
    if let Err(Error::Unauthorised(_)) = signed_in {
        call.state.link_failures.count(network);
    }
    Ok(no_content_with(Cookie::of_session(audience).set(&call.state.app, &signed_in?, SESSION_IDLE)))
}

/// `GET /api/artist/session` → `{signedIn: true, email}` or `{signedIn: false}`.
pub async fn show(call: Call, _: PortalIsOpen) -> Result<Response> {
    match signed_in_by_link(&call, Audience::Competitors).await {
        Ok(email) => Ok(ok(&json!({ "signedIn": true, "email": email }))),
        Err(Error::Unauthorised(_)) => Ok(ok(&json!({ "signedIn": false }))),
        Err(error) => Err(error),
    }
}

/// `DELETE /api/artist/session` signs out.
pub async fn sign_out(call: Call, audience: Audience) -> Result<Response> {
    require_own_origin(&call.headers, &call.state.app)?;
    let tokens = Cookie::of_session(audience).values(&call.headers, &call.state.app);
    call.run(move |app| tokens.iter().try_for_each(|token| access::sign_out(app, audience, token))).await?;
    Ok(no_content_with(Cookie::of_session(audience).delete(&call.state.app)))
}

/// `POST /api/artist/session/end-all` signs out everywhere and revokes every link.
pub async fn end_all(mut call: Call, audience: Audience, email: String) -> Result<Response> {
    let _ = call.bytes(MAX_BODY).await;
    call.run(move |app| access::end_all(app, audience, &email)).await?;
    Ok(no_content_with(Cookie::of_session(audience).delete(&call.state.app)))
}
