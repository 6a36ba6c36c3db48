//! What every request meets first: a cached page or asset answers at once, before any routing; all
//! else goes to the filters. Here every request that is logged gets its id, and no person's data is in the line.

use std::future::{Ready, ready};
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use bytes::Bytes;
use futures_util::future::Either;
use http::header::{CACHE_CONTROL, HeaderMap, HeaderName, HeaderValue, LOCATION, STRICT_TRANSPORT_SECURITY};
use http::{Method, Request, StatusCode};
use http_body_util::Full;
use warp::Reply;
use warp::reply::Response;

use super::activity::Received;
use super::request_check;
use crate::app::App;
use crate::error::Error;
use crate::http::api::{self, Later, session};
use crate::http::client_ip;
use crate::http::metrics::{Class, Metrics};
use crate::http::pages::{answer_with, as_asked};
use crate::site::render::headers;

/// Tells a line of the log by its answer.
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

const SIGN_IN: &str = "/api/admin/session";

/// Browsers come by HTTPS for a year from now on, whatever address is typed.
const A_YEAR: HeaderValue = HeaderValue::from_static("max-age=31536000");

/// A ready page leaves without being asked for again, its bytes as they are; all else comes from behind a pointer.
pub type Answer = Either<Ready<http::Response<Full<Bytes>>>, Later>;

pub fn composed(response: Response) -> Answer {
    Either::Right(Box::pin(ready(response)))
}

pub struct Front {
    app: Arc<App>,
    routes: Box<dyn Fn(Request<Received>) -> Later + Send + Sync>,
    answer_headers: HeaderMap,
    /// Whether visitors come by HTTPS, to us or to the proxy before us.
    is_https: bool,
    metrics: Arc<Metrics>,
    /// The id of the next request that is logged; starts at random, so that two runs of the program differ.
    requests: AtomicU64,
}

impl Front {
    pub fn new(app: Arc<App>, metrics: Arc<Metrics>) -> Front {
        Front {
            routes: api::service(&app),
            answer_headers: headers::of_answer(),
            metrics,
            is_https: app.public_url().starts_with("https://"),
            requests: AtomicU64::new(u64::from(rand::random::<u32>()) << 24),
            app,
        }
    }

    /// The answer; that of a cached page is there before this returns, so that the request and its place in the
    /// connection's buffer are free again when the connection looks for the next one.
    pub fn answer(self: &Arc<Self>, mut request: Request<Received>, peer: SocketAddr) -> Answer {
        if let Err(error) = request_check::require_sound(&mut request) {
            let refusal = complete(error.into_response(), &self.answer_headers);
            self.metrics.note_ready(Class::Other, refusal.status().as_u16());
            let refusal = as_asked(request.method(), request_check::last_answer(request.version(), refusal));
            return composed(self.secured(refusal));
        }
        if let Some(response) = self.cached(&request) {
            self.metrics.note_ready(Class::Page, response.status().as_u16());
            return Either::Left(ready(self.secured(response)));
        }
        let started = Instant::now();
        let front = Arc::clone(self);
        Either::Right(Box::pin(async move {
            let class = class_of(request.uri().path());
            let method = request.method().clone();
            let response = as_asked(&method, front.routed(request, peer, started).await);
            front.metrics.note(class, response.status().as_u16(), started.elapsed());
            front.secured(response)
        }))
    }

    /// With what every answer gets on its way out.
    fn secured<B>(&self, mut response: http::Response<B>) -> http::Response<B> {
        if self.is_https {
            response.headers_mut().insert(STRICT_TRANSPORT_SECURITY, A_YEAR);
        }
        response
    }

    /// The ready answer to a request for a page or an asset.
    fn cached(&self, request: &Request<Received>) -> Option<http::Response<Full<Bytes>>> {
        if !matches!(*request.method(), Method::GET | Method::HEAD) {
            return None;
        }
        self.app.with_site(|site| {
            let answer = answer_with(site.get(request.uri().path())?, request.headers());
            Some(as_asked(request.method(), answer.map(Full::new)))
        })
    }

    async fn routed(&self, mut request: Request<Received>, peer: SocketAddr, started: Instant) -> Response {
        let id = self.requests.fetch_add(1, Ordering::Relaxed);
        let (method, version) = (request.method().clone(), request.version());
        let path = request.uri().path().to_owned();
        if method == Method::HEAD {
            *request.method_mut() = Method::GET;
        }
        self.note_proxy(request.headers(), peer);
        let client = client_ip::address(&request, peer, &self.app.trusted);
        let allowed = client.and_then(|client| {
            request.extensions_mut().insert(client);
            self.require_own_write(&method, request.headers())?;
            self.require_sound_site(&method, &path)
        });
        let mut response = if let Err(error) = allowed {
            complete(error.into_response(), &self.answer_headers)
        } else if api::takes(&path) {
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
        let status = response.status();
        if status == StatusCode::REQUEST_TIMEOUT || status == StatusCode::PAYLOAD_TOO_LARGE {
            response = request_check::last_answer(version, response);
        }
        if !may_be_shared(&response) {
            response.headers_mut().insert(REQUEST_ID, HeaderValue::from(id));
        }
        response
    }

    /// Logs once that requests arrive through a proxy that is not trusted.
    fn note_proxy(&self, headers: &HeaderMap, peer: SocketAddr) {
        if self.app.trusted.contains(peer.ip().to_canonical()) {
            return;
        }
        let is_new = self.app.untrusted_proxy.note(peer.ip(), headers.contains_key("x-forwarded-for"));
        if let Some(sentence) = self.app.untrusted_proxy.sentence().filter(|_| is_new) {
            tracing::warn!("{sentence}");
        }
    }

    /// # Errors
    /// [`Error::Forbidden`]: another site makes a signed-in organiser's browser write.
    fn require_own_write(&self, method: &Method, headers: &HeaderMap) -> crate::error::Result<()> {
        if method.is_safe() || session::tokens(headers, &self.app).next().is_none() {
            return Ok(());
        }
        session::require_own_origin(headers, &self.app)
    }

    /// # Errors
    /// [`Error::ReadOnly`] for a write while disk or database are in trouble. Signing in and out stays possible:
    /// the organiser may want to look, and to save what is there.
    fn require_sound_site(&self, method: &Method, path: &str) -> crate::error::Result<()> {
        if method.is_safe() || path == SIGN_IN || !api::takes(path) {
            return Ok(());
        }
        match self.app.condition.trouble() {
            Some(trouble) => Err(Error::ReadOnly(trouble.for_visitors())),
            None => Ok(()),
        }
    }

    /// What the API does not take: a page that is not read, a slash too many, or nothing.
    fn elsewhere(&self, method: &Method, path: &str, query: Option<&str>, headers: &HeaderMap) -> Response {
        let site = self.app.site();
        let trimmed = path.trim_end_matches('/');
        let reads = matches!(*method, Method::GET | Method::HEAD);
        if reads && trimmed != path && site.get(trimmed).is_some() {
            let target = query.map_or_else(|| trimmed.to_owned(), |query| format!("{trimmed}?{query}"));
            return redirect(&target, &self.answer_headers);
        }
        if site.get(path).is_some() {
            return complete(
                Error::MethodNotAllowed("GET, HEAD".into()).into_response(),
                &self.answer_headers,
            );
        }
        match site.not_found() {
            Some(page) if reads => answer_with(page, headers).into_response(),
            _ => complete(
                Error::NotFound("There is nothing at this address.".into()).into_response(),
                &self.answer_headers,
            ),
        }
    }
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
    response.headers_mut().entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

/// Whether a cache between us and many visitors may keep it, as it may the page of an unknown address.
fn may_be_shared(response: &Response) -> bool {
    response.headers().get(CACHE_CONTROL).is_some_and(|value| value.as_bytes().starts_with(b"public"))
}

fn class_of(path: &str) -> Class {
    match (path, api::takes(path)) {
        ("/healthz" | "/readyz", _) => Class::Health,
        (_, true) => Class::Api,
        (_, false) => Class::Other,
    }
}

/// The path as it may be logged: an e-mail address in it would be a person's, in whatever way its '@' is written.
fn logged(path: &str) -> &str {
    if path.contains(['@', '%']) { "(withheld)" } else { path }
}
