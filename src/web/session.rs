//! The session cookie, and that a write which carries it comes from our own pages.

use std::sync::Arc;

use http::header::{HOST, HeaderMap, HeaderValue, ORIGIN};
use warp::Filter;

use super::desk::Desk;
use super::handlers::blocking;
use crate::app::App;
use crate::error::{Error, Result};
use crate::session::{self, Session};

const COOKIE: &str = "showcase_session";
/// So many are looked up at most.
const MOST_TOKENS: usize = 8;

/// Who is signed in; for a write also that the request is our own page's or a script's.
pub fn signed_in(
    desk: &Arc<Desk>,
) -> impl Filter<Extract = (Result<Session>,), Error = std::convert::Infallible> + Clone + use<> {
    let desk = Arc::clone(desk);
    warp::header::headers_cloned().and(warp::method()).then(
        move |headers: HeaderMap, method: http::Method| {
            let desk = Arc::clone(&desk);
            async move {
                let tokens: Vec<String> = tokens(&headers).take(MOST_TOKENS).map(str::to_owned).collect();
                let session = blocking(&desk.app, move |app| any_of(app, &tokens)).await?;
                if !method.is_safe() {
                    require_own_origin(&headers, &desk.app.public_url())?;
                }
                Ok(session)
            }
        },
    )
}

/// The first session that one of the tokens opens: a browser may send an ended one beside it, which another
/// path or a sibling domain has left behind.
fn any_of(app: &App, tokens: &[String]) -> Result<Session> {
    for token in tokens {
        match session::check(app, token) {
            Err(Error::Unauthorised(_)) => {}
            answer => return answer,
        }
    }
    Err(Error::Unauthorised("Please sign in first.".into()))
}

/// The tokens in the request's cookies.
pub fn tokens(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    headers
        .get_all(http::header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().strip_prefix(COOKIE)?.strip_prefix('='))
}

/// The cookie that keeps a token, or, without one, that takes it away.
pub fn cookie(app: &App, token: Option<&str>) -> HeaderValue {
    let secure = if app.public_url().starts_with("https://") { "; Secure" } else { "" };
    let value = token.unwrap_or_default();
    let age = if token.is_some() { "" } else { "; Max-Age=0" };
    HeaderValue::try_from(format!("{COOKIE}={value}; Path=/; HttpOnly; SameSite=Strict{age}{secure}"))
        .expect("a token is hexadecimal")
}

/// Our own origin is the host that was asked, or `public_url`, since a proxy may ask us by another name.
///
/// # Errors
/// [`Error::Forbidden`] when a browser says that another site sent this. A script sends neither header
/// and is allowed: it holds the cookie by its own means.
pub fn require_own_origin(headers: &HeaderMap, public_url: &str) -> Result<()> {
    let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    let foreign_site =
        headers.get("sec-fetch-site").is_some_and(|site| site != "same-origin" && site != "none");
    let foreign_origin = headers.contains_key(ORIGIN)
        && text(ORIGIN) != Some(public_url)
        && text(ORIGIN).and_then(|origin| origin.split_once("://")).map(|(_, host)| host) != text(HOST);
    if foreign_site || foreign_origin {
        return Err(Error::Forbidden("This request came from another site and was not carried out.".into()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        pairs
            .iter()
            .map(|(name, value)| ((*name).parse().expect("a name"), HeaderValue::from_static(value)))
            .collect()
    }

    #[test]
    fn only_our_own_pages_and_scripts_may_write() {
        let host = ("host", "showcase.example.com");
        for (pairs, allowed) in [
            (vec![host], true),
            (vec![host, ("origin", "https://showcase.example.com")], true),
            (vec![host, ("origin", "https://public.example.com")], true),
            (vec![host, ("origin", "http://public.example.com")], false),
            (vec![host, ("origin", "https://public.example.com"), ("sec-fetch-site", "same-site")], false),
            (vec![host, ("sec-fetch-site", "same-origin")], true),
            (vec![host, ("sec-fetch-site", "none")], true),
            (vec![host, ("origin", "https://evil.example")], false),
            (vec![host, ("origin", "null")], false),
            (vec![host, ("origin", "https://showcase.example.com.evil.example")], false),
            (vec![host, ("sec-fetch-site", "cross-site")], false),
            (vec![host, ("sec-fetch-site", "same-site")], false),
            (vec![host, ("origin", "https://showcase.example.com"), ("sec-fetch-site", "cross-site")], false),
        ] {
            let answer = require_own_origin(&headers(&pairs), "https://public.example.com");
            assert_eq!(answer.is_ok(), allowed, "{pairs:?}");
        }
    }

    #[test]
    fn the_token_is_found_among_other_cookies() {
        for (cookies, found) in [
            ("showcase_session=ab12", vec!["ab12"]),
            ("other=1; showcase_session=ab12; more=2", vec!["ab12"]),
            ("showcase_session=old; showcase_session=ab12", vec!["old", "ab12"]),
            ("showcase_session_old=ab12", vec![]),
            ("", vec![]),
        ] {
            let mut map = HeaderMap::new();
            map.insert(http::header::COOKIE, HeaderValue::from_static(cookies));
            assert_eq!(tokens(&map).collect::<Vec<_>>(), found, "{cookies}");
        }
    }
}
