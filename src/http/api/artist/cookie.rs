//! The cookie of a competitor's session.

use http::header::HeaderValue;

use super::super::call::Call;
use super::super::session::{is_https, values};
use crate::app::App;
use crate::error::{Error, Result};
use crate::portal::access::{self, Artist, SESSION_IDLE};

const COOKIE: &str = "showcase_artist";
/// Under HTTPS, as for the organiser's session (`http::api::session`).
const HOST_COOKIE: &str = "__Host-showcase_artist";
/// So many are looked up at most.
const MOST_TOKENS: usize = 8;

/// The first few tokens in the request's cookies.
pub fn tokens(call: &Call) -> Vec<String> {
    values(&call.headers, name(&call.state.app)).take(MOST_TOKENS).map(str::to_owned).collect()
}

/// Who is signed in.
///
/// # Errors
/// [`Error::Unauthorised`].
pub async fn signed_in(call: &Call) -> Result<Artist> {
    let tokens = tokens(call);
    call.run(move |app| {
        for token in &tokens {
            match access::check(app, token) {
                Err(Error::Unauthorised(_)) => {}
                answer => return answer,
            }
        }
        Err(Error::Unauthorised("Please open the link from your email first.".into()))
    })
    .await
}

/// The cookie that keeps a token, or, without one, that deletes it.
pub fn cookie(app: &App, token: Option<&str>) -> HeaderValue {
    let secure = if is_https(app) { "; Secure" } else { "" };
    let age = token.map_or(0, |_| SESSION_IDLE.num_seconds());
    let (name, value) = (name(app), token.unwrap_or_default());
    HeaderValue::try_from(format!("{name}={value}; Path=/; HttpOnly; SameSite=Strict; Max-Age={age}{secure}"))
        .expect("a token is hexadecimal")
}

fn name(app: &App) -> &'static str {
    if is_https(app) { HOST_COOKIE } else { COOKIE }
}
