//! What every request meets first: a cached page or asset answers at once, before any routing; all
//! else goes to the filters. Here every answer gets its request id, and is logged without a person's data.

use std::convert::Infallible;
use std::future::Future;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use bytes::Bytes;
use http::header::{
    ACCEPT_ENCODING, CONTENT_LENGTH, ETAG, HeaderMap, HeaderValue, IF_NONE_MATCH, LOCATION,
    STRICT_TRANSPORT_SECURITY,
};
use http::{Method, Request, StatusCode};
use hyper::body::{Body, Incoming};
use warp::Reply;
use warp::reply::Response;

use super::client;
use super::metrics::{Class, Metrics};
use super::routes;
use super::session;
use super::shape;
use crate::app::App;
use crate::error::Error;
use crate::render::headers::REQUEST_ID;
use crate::render::{Document, headers};

const SIGN_IN: &str = "/api/admin/session";

/// Browsers come by HTTPS for a year from now on, whatever address is typed.
const A_YEAR: HeaderValue = HeaderValue::from_static("max-age=31536000");

type Answer = Pin<Box<dyn Future<Output = Response> + Send>>;

pub struct Front {
    app: Arc<App>,
    routes: Box<dyn Fn(Request<Incoming>) -> Answer + Send + Sync>,
    answer_headers: HeaderMap,
    /// Whether visitors come by HTTPS, to us or to the proxy before us.
    is_https: bool,
    metrics: Arc<Metrics>,
    /// The next request's id; starts at random, so that two runs of the program differ.
    requests: AtomicU64,
}

impl Front {
    pub fn new(app: Arc<App>, metrics: Arc<Metrics>) -> Front {
        Front {
            routes: routes::service(&app),
            answer_headers: headers::of_answer(),
            metrics,
            is_https: app.public_url().starts_with("https://"),
            requests: AtomicU64::new(u64::from(rand::random::<u32>()) << 24),
            app,
        }
    }

    pub async fn answer(
        self: Arc<Self>,
        mut request: Request<Incoming>,
        peer: SocketAddr,
    ) -> Result<Response, Infallible> {
        let started = Instant::now();
        let id = self.requests.fetch_add(1, Ordering::Relaxed);
        let is_head = *request.method() == Method::HEAD;
        let mut class = Class::Other;
        let mut response = match shape::require_sound(&mut request) {
            Err(error) => shape::last_answer(&request, complete(error.into_response(), &self.answer_headers)),
            Ok(()) => match self.cached(&request) {
                Some(response) => {
                    class = Class::Page;
                    response
                }
                // Boxed, so that the future of a cached page stays small.
                None => {
                    class = class_of(request.uri().path());
                    Box::pin(self.routed(request, peer, id)).await
                }
            },
        };
        if is_head {
            response = without_body(response);
        }
        self.metrics.note(class, response.status().as_u16(), started.elapsed());
        let headers = response.headers_mut();
        headers.insert(REQUEST_ID, HeaderValue::from(id));
        if self.is_https {
            headers.insert(STRICT_TRANSPORT_SECURITY, A_YEAR);
        }
        Ok(response)
    }

    /// The ready answer to a request for a page or an asset.
    fn cached(&self, request: &Request<Incoming>) -> Option<Response> {
        let path = request.uri().path();
        let site = self.app.site();
        let document = site.get(path)?;
        Some(match *request.method() {
            Method::GET | Method::HEAD => ready(document, request.headers()),
            _ => complete(Error::MethodNotAllowed("GET, HEAD").into_response(), &self.answer_headers),
        })
    }

    async fn routed(&self, mut request: Request<Incoming>, peer: SocketAddr, id: u64) -> Response {
        let started = Instant::now();
        let method = request.method().clone();
        let path = request.uri().path().to_owned();
        if method == Method::HEAD {
            *request.method_mut() = Method::GET;
        }
        let client = client::address(&request, peer, &self.app.trusted);
        request.extensions_mut().insert(client);
        let allowed = self
            .require_own_write(&method, request.headers())
            .and_then(|()| self.require_sound_site(&method, &path));
        let response = if let Err(error) = allowed {
            complete(error.into_response(), &self.answer_headers)
        } else if routes::takes(&path) {
            complete((self.routes)(request).await, &self.answer_headers)
        } else {
            self.elsewhere(&method, &path, request.uri().query(), request.headers())
        };
        tracing::info!(
            target: "request",
            id,
            %method,
            path = logged(&path),
            status = response.status().as_u16(),
            milliseconds = started.elapsed().as_millis() as u64,
        );
        response
    }

    /// # Errors
    /// [`Error::Forbidden`]: another site makes a signed-in organiser's browser write.
    fn require_own_write(&self, method: &Method, headers: &HeaderMap) -> crate::error::Result<()> {
        if method.is_safe() || session::tokens(headers).next().is_none() {
            return Ok(());
        }
        session::require_own_origin(headers, &self.app.public_url())
    }

    /// # Errors
    /// [`Error::ReadOnly`] for a write while disk or database are in trouble. Signing in and out stays possible:
    /// the organiser may want to look, and to save what is there.
    fn require_sound_site(&self, method: &Method, path: &str) -> crate::error::Result<()> {
        if method.is_safe() || path == SIGN_IN || !routes::takes(path) {
            return Ok(());
        }
        match self.app.condition.trouble() {
            Some(trouble) => Err(Error::ReadOnly(trouble.for_visitors())),
            None => Ok(()),
        }
    }

    /// A path that is neither a page nor the API: a slash too many, or nothing.
    fn elsewhere(&self, method: &Method, path: &str, query: Option<&str>, headers: &HeaderMap) -> Response {
        let site = self.app.site();
        let trimmed = path.trim_end_matches('/');
        let reads = matches!(*method, Method::GET | Method::HEAD);
        if reads && trimmed != path && site.get(trimmed).is_some() {
            let target = query.map_or_else(|| trimmed.to_owned(), |query| format!("{trimmed}?{query}"));
            return redirect(&target, &self.answer_headers);
        }
        match site.not_found() {
            Some(page) if reads => ready(page, headers),
            _ => complete(
                Error::NotFound("There is nothing at this address.".into()).into_response(),
                &self.answer_headers,
            ),
        }
    }
}

/// The head of an answer to GET. HTTP/1 would leave the body out by itself; HTTP/2 would not.
fn without_body(response: Response) -> Response {
    let (mut head, body) = response.into_parts();
    // Without one it may be 304, and what is unchanged is not empty.
    if let Some(length) = body.size_hint().exact().filter(|length| *length > 0) {
        head.headers.entry(CONTENT_LENGTH).or_insert_with(|| HeaderValue::from(length));
    }
    Response::from_parts(head, Bytes::new().into())
}

/// The document in the encoding that the client takes, or 304 when it has these bytes already.
fn ready(document: &Document, headers: &HeaderMap) -> Response {
    let accepted = headers.get(ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let variant = document.variant(accepted);
    let has_it = headers
        .get_all(IF_NONE_MATCH)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .any(|tags| matches_tag(tags, variant.headers.get(ETAG)));
    let mut response = if has_it && document.status == 200 {
        with_status(StatusCode::NOT_MODIFIED, Bytes::new())
    } else {
        let status = StatusCode::from_u16(document.status).unwrap_or(StatusCode::OK);
        with_status(status, variant.body.clone())
    };
    response.headers_mut().clone_from(&variant.headers);
    if response.status() == StatusCode::NOT_MODIFIED {
        response.headers_mut().remove(CONTENT_LENGTH);
    }
    response
}

/// Whether `If-None-Match` names this tag; compared weakly (RFC 9110, section 13.1.2).
fn matches_tag(tags: &str, current: Option<&HeaderValue>) -> bool {
    let current = current.and_then(|value| value.to_str().ok()).unwrap_or_default();
    tags.split(',').map(str::trim).any(|tag| tag == "*" || tag.strip_prefix("W/").unwrap_or(tag) == current)
}

pub fn with_status(status: StatusCode, body: Bytes) -> Response {
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    response
}

pub fn redirect(target: &str, headers: &HeaderMap) -> Response {
    let mut response = with_status(StatusCode::PERMANENT_REDIRECT, Bytes::new());
    if let Ok(target) = HeaderValue::try_from(target) {
        response.headers_mut().insert(LOCATION, target);
    }
    complete(response, headers)
}

/// Adds the safety headers to an answer that is no cached document.
pub fn complete(mut response: Response, headers: &HeaderMap) -> Response {
    for (name, value) in headers {
        // A mail that is shown has a policy of its own.
        response.headers_mut().entry(name.clone()).or_insert_with(|| value.clone());
    }
    response.headers_mut().entry(http::header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

fn class_of(path: &str) -> Class {
    match (path, routes::takes(path)) {
        ("/healthz" | "/readyz", _) => Class::Health,
        (_, true) => Class::Api,
        (_, false) => Class::Other,
    }
}

/// The path as it may be logged: an e-mail address in it would be a person's, in whatever way its '@' is written.
fn logged(path: &str) -> &str {
    if path.contains(['@', '%']) { "(withheld)" } else { path }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_known_tag_is_found_in_any_of_its_forms() {
        let current = HeaderValue::from_static("\"a1\"");
        for (tags, found) in [
            ("\"a1\"", true),
            ("W/\"a1\"", true),
            ("\"b\", \"a1\"", true),
            ("*", true),
            ("\"b\"", false),
            ("", false),
            ("a1", false),
        ] {
            assert_eq!(matches_tag(tags, Some(&current)), found, "{tags}");
        }
    }
}
