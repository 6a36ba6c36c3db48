//! Who is signed in, and the check that a write comes from our own pages.

use http::header::{HOST, HeaderMap, HeaderValue, ORIGIN};
use url::{Host, Url};

use super::call::Call;
use super::caller::Caller;
use super::cookie::Cookie;
use crate::admin::sessions::{self, Session};
use crate::app::App;
use crate::error::{Error, Result};
use crate::portal::access::{self, Audience};

/// Returns what `check` says of the first valid token in a cookie. For a write it also checks that the request comes from our
/// own pages or from a script.
///
/// # Errors
/// [`Error::Unauthorised`] with `refused`; [`Error::Forbidden`]; those of `check`.
pub async fn check_cookie<T: Send + 'static>(
    call: &Call,
    cookie: Cookie,
    refused: &'static str,
    check: impl Fn(&App, &str) -> Result<T> + Send + 'static,
) -> Result<T> {
    let tokens = cookie.values(&call.headers, &call.state.app);
    let find = call.run(move |app| {
        for token in &tokens {
            match check(app, token) {
                Err(Error::Unauthorised(_)) => {}
                answer => return answer,
            }
        }
        Err(Error::Unauthorised(refused.into()))
    });
    let found = find.await?;
    if !call.method.is_safe() {
        require_own_origin(&call.headers, &call.state.app)?;
    }
    Ok(found)
}

/// The signed-in organiser.
pub async fn signed_in(call: &Call) -> Result<Session> {
    check_cookie(call, Cookie::ORGANISER, "Please sign in first.", sessions::check).await
}

impl Caller for Session {
    async fn identify(call: &mut Call) -> Result<Session> {
        let session = signed_in(call).await?;
        call.is_organiser = true;
        Ok(session)
    }
}

/// The address of the competitor or judge who is signed in.
pub async fn signed_in_by_link(call: &Call, audience: Audience) -> Result<String> {
    let refused = "Please open the link from your email first.";
    check_cookie(call, Cookie::of_session(audience), refused, move |app, token| {
        access::check(app, audience, token)
    })
    .await
}

/// Requires that a browser's write comes from our own pages.
///
/// # Errors
/// [`Error::Forbidden`] when the browser's headers name another site, or a host name that is not configured. A script
/// sends neither header and is allowed: only browsers attach cookies to requests that another site caused.
pub fn require_own_origin(headers: &HeaderMap, app: &App) -> Result<()> {
    let is_foreign_site =
        headers.get("sec-fetch-site").is_some_and(|site| site != "same-origin" && site != "none");
    let public_url = app.public_url();
    if is_foreign_site || !is_own_origin(headers, &public_url, &app.config.hosts()) {
        let origin = headers.get(ORIGIN).and_then(|origin| origin.to_str().ok());
        let detail = match origin.filter(|_| !is_foreign_site).and_then(|origin| origin.split_once("://")) {
            Some((_, host)) if headers.get(HOST).is_some_and(|requested| requested == host) => {
                format!("This site is not set up for the address {host}. Open {public_url} instead.")
            }
            _ => "This request came from another site and was not carried out.".into(),
        };
        return Err(Error::Forbidden(detail));
    }
    Ok(())
}

/// Whether the `Origin`, if there is one, is our own: `public_url` (a proxy may send another `Host`), or the requested
/// host. If host names are configured (`hosts`), the requested host must be one of them with the scheme of
/// `public_url`, or the machine itself (`localhost` or an IP address). Anybody can point another name at this server.
fn is_own_origin(headers: &HeaderMap, public_url: &str, hosts: &[String]) -> bool {
    let Some(origin) = headers.get(ORIGIN) else { return true };
    let text = |value: &HeaderValue| value.to_str().ok().map(str::to_owned);
    let Some(origin) = text(origin) else { return false };
    if origin == public_url {
        return true;
    }
    let Some((scheme, authority)) = origin.split_once("://") else { return false };
    if headers.get(HOST).and_then(text).as_deref() != Some(authority) {
        return false;
    }
    let url = Url::parse(&origin).ok();
    match url.as_ref().and_then(Url::host) {
        _ if hosts.is_empty() => true,
        Some(Host::Domain("localhost") | Host::Ipv4(_) | Host::Ipv6(_)) => true,
        Some(Host::Domain(name)) => {
            hosts.iter().any(|host| host.eq_ignore_ascii_case(name))
                && public_url.split_once("://").is_some_and(|(ours, _)| ours == scheme)
        }
        None => false,
    }
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
    fn only_our_own_origin_may_write() {
        let host = ("host", "public.example.com");
        let proxied = ("host", "showcase.internal");
        for (pairs, allowed) in [
            (vec![host], true),
            (vec![host, ("origin", "https://public.example.com")], true),
            (vec![proxied, ("origin", "https://public.example.com")], true),
            (vec![proxied, ("origin", "http://public.example.com")], false),
            (vec![host, ("origin", "http://public.example.com")], false),
            (vec![("host", "www.example.com"), ("origin", "https://www.example.com")], true),
            (vec![("host", "www.example.com:8443"), ("origin", "https://www.example.com:8443")], true),
            (vec![host, ("origin", "https://www.example.com")], false),
            // Another domain that points to this server.
            (vec![("host", "evil.example"), ("origin", "https://evil.example")], false),
            // The machine itself, bypassing its proxy.
            (vec![("host", "127.0.0.1:8080"), ("origin", "http://127.0.0.1:8080")], true),
            (vec![("host", "[::1]:8080"), ("origin", "http://[::1]:8080")], true),
            (vec![("host", "localhost:8080"), ("origin", "http://localhost:8080")], true),
            (vec![("host", "127.0.0.1:8080"), ("origin", "http://127.0.0.1:9090")], false),
            (vec![host, ("origin", "https://evil.example")], false),
            (vec![host, ("origin", "null")], false),
            (vec![host, ("origin", "https://public.example.com.evil.example")], false),
        ] {
            let hosts = ["public.example.com".to_owned(), "www.example.com".to_owned()];
            let is_own = is_own_origin(&headers(&pairs), "https://public.example.com", &hosts);
            assert_eq!(is_own, allowed, "{pairs:?}");
        }
    }

    #[test]
    fn without_configured_names_the_requested_host_is_our_own() {
        let host = ("host", "showcase.example.com");
        for (origin, allowed) in [
            ("https://showcase.example.com", true),
            ("http://127.0.0.1:8080", true),
            ("https://evil.example", false),
            ("null", false),
            ("https://showcase.example.com.evil.example", false),
        ] {
            let is_own = is_own_origin(&headers(&[host, ("origin", origin)]), "http://127.0.0.1:8080", &[]);
            assert_eq!(is_own, allowed, "{origin}");
        }
    }
}
