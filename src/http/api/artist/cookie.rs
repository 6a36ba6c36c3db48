//! The cookie of a competitor's or a judge's session.

use http::header::HeaderValue;

use super::super::call::Call;
use super::super::session::{MAX_TOKENS, identify, is_https, values};
use crate::app::App;
use crate::error::Result;
use crate::portal::access::{self, Audience, SESSION_IDLE};

/// The first few tokens in the request's cookies.
pub fn tokens(call: &Call, audience: Audience) -> Vec<String> {
    values(&call.headers, name(&call.state.app, audience)).take(MAX_TOKENS).map(str::to_owned).collect()
}

/// Whose address is signed in.
///
/// # Errors
/// Those of [`identify`].
pub async fn signed_in(call: &Call, audience: Audience) -> Result<String> {
    let check = move |app: &App, token: &str| access::check(app, audience, token);
    identify(call, name(&call.state.app, audience), "Please open the link from your email first.", check)
        .await
}

/// The cookie that keeps a token, or, without one, that deletes it.
pub fn cookie(app: &App, audience: Audience, token: Option<&str>) -> HeaderValue {
    let secure = if is_https(app) { "; Secure" } else { "" };
    let age = token.map_or(0, |_| SESSION_IDLE.num_seconds());
    let (name, value) = (name(app, audience), token.unwrap_or_default());
    HeaderValue::try_from(format!("{name}={value}; Path=/; HttpOnly; SameSite=Strict; Max-Age={age}{secure}"))
        .expect("a token is hexadecimal")
}

/// Under HTTPS as for the organiser's session (`http::api::session`).
fn name(app: &App, audience: Audience) -> &'static str {
    match (audience, is_https(app)) {
        (Audience::Competitors, false) => "showcase_artist",
        (Audience::Competitors, true) => "__Host-showcase_artist",
        (Audience::Judges, false) => "showcase_judge",
        (Audience::Judges, true) => "__Host-showcase_judge",
    }
}
