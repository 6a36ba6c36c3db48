//! The site's entry point for requests: answers cached pages and assets at once and passes the rest to the routes.
//! Every other request is logged with an id; the line holds no personal data.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use bytes::Bytes;
use http::header::{CACHE_CONTROL, HeaderMap, HeaderName, HeaderValue, LOCATION, STRICT_TRANSPORT_SECURITY};
use http::{Method, Request, StatusCode};
use tokio::sync::Mutex;
use warp::Reply;
use warp::reply::Response;

use super::activity::RequestBody;
use super::request_check;
use crate::app::App;
use crate::error::Error;
use crate::http::api::cookie::Cookie;
use crate::http::api::{self, ResponseFuture, session};
use crate::http::blocking::blocking;
use crate::http::client_ip;
use crate::http::metrics::{Class, Metrics};
use crate::http::pages::{document_response, omit_body_for_head};
use crate::site::publish;
use crate::site::render::{Site, headers};

/// The id of the request's line in the log.
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Rendering all pages takes much processor time, so requests cannot cause it again and again when it fails.
const PAGES_RETRIED_AFTER: Duration = Duration::from_secs(10);

/// The most characters of a path that are logged.
const LOGGED_PATH: usize = 200;

const SIGN_IN: &str = "/api/admin/session";

/// Makes browsers use HTTPS for a year.
const HSTS: HeaderValue = HeaderValue::from_static("max-age=31536000");

/// The environment variable with which a test makes the requests for one path panic.
const PANIC_VARIABLE: &str = "SHOWCASE_TEST_PANIC_PATH";

pub struct SiteService {
    app: Arc<App>,
    panics_at: Option<String>,
    routes: Box<dyn Fn(Request<RequestBody>) -> ResponseFuture + Send + Sync>,
    answer_headers: HeaderMap,
    /// Whether visitors use HTTPS, with us or with a proxy.
    is_https: bool,
    metrics: Arc<Metrics>,
    /// Held while the pages that were not rendered at the start are rendered. It holds when that failed.
    completing: Mutex<Option<Instant>>,
    /// The id of the next logged request. It starts at a random number, so that ids of different runs differ;
    /// below 2^53, which every reader of JSON can hold.
    next_id: AtomicU64,
}

impl SiteService {
    pub fn new(app: Arc<App>, metrics: Arc<Metrics>) -> SiteService {
        SiteService {
            routes: api::service(&app),
            answer_headers: headers::of_answer(),
            metrics,
            completing: Mutex::default(),
            panics_at: std::env::var(PANIC_VARIABLE).ok(),
            is_https: app.public_url().starts_with("https://"),
            next_id: AtomicU64::new(u64::from(rand::random::<u32>()) << 20),
            app,
        }
    }

    pub async fn answer(&self, request: Request<RequestBody>, peer: SocketAddr) -> Response {
        let method = request.method().clone();
        let mut response = omit_body_for_head(&method, self.whole_answer(request, peer).await);
        if self.is_https {
            response.headers_mut().insert(STRICT_TRANSPORT_SECURITY, HSTS);
        }
        response
    }

    async fn whole_answer(&self, mut request: Request<RequestBody>, peer: SocketAddr) -> Response {
        if let Err(error) = request_check::require_sound(&mut request) {
            let refusal = self.refuse(error);
            self.metrics.observe(Class::Other, refusal.status().as_u16(), Duration::ZERO);
            return request_check::last_answer(request.version(), refusal);
        }
        let mut page = self.cached(&request);
        if page.is_none() && !self.app.with_site(Site::is_complete) && !api::is_api_path(request.uri().path())
        {
            page = match Box::pin(self.complete_site()).await {
                Ok(()) => self.cached(&request),
                Err(error) => Some(self.refuse(error)),
            };
        }
        if let Some(response) = page {
            // Cached, so it took no time worth measuring.
            self.metrics.observe(Class::Page, response.status().as_u16(), Duration::ZERO);
            return response;
        }
        let started = Instant::now();
        let class = class_of(request.uri().path());
        // Boxed, so that a connection whose requests need no route holds no memory for one.
        let response = Box::pin(self.route(request, peer, started)).await;
        self.metrics.observe(class, response.status().as_u16(), started.elapsed());
        response
    }

    fn refuse(&self, error: Error) -> Response {
        add_headers(error.into_response(), &self.answer_headers)
    }

    /// The answer to a request for a cached page or asset.
    fn cached(&self, request: &Request<RequestBody>) -> Option<Response> {
        if !matches!(*request.method(), Method::GET | Method::HEAD) {
            return None;
        }
        self.app.with_site(|site| {
            Some(document_response(site.get(request.uri().path())?, request.headers()).into_response())
        })
    }

    async fn route(&self, mut request: Request<RequestBody>, peer: SocketAddr, started: Instant) -> Response {
        if self.panics_at.as_deref() == Some(request.uri().path()) {
            panic!("{PANIC_VARIABLE}");
        }
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        let method = request.method().clone();
        let path = request.uri().path().to_owned();
        if method == Method::HEAD {
            *request.method_mut() = Method::GET;
        }
        self.record_proxy(request.headers(), peer);
        let client = client_ip::address(&request, peer, &self.app.trusted_proxies);
        let allowed = client.and_then(|client| {
            request.extensions_mut().insert(client);
            self.require_own_write(&method, request.headers())?;
            self.require_writable_site(&method, &path)
        });
        let mut response = if let Err(error) = allowed {
            self.refuse(error)
        } else if api::is_api_path(&path) {
            add_headers((self.routes)(request).await, &self.answer_headers)
        } else {
            self.outside_api(&method, &path, request.uri().query(), request.headers())
        };
        tracing::info!(
            target: "request",
            id,
            %method,
            path = loggable(&path),
            status = response.status().as_u16(),
            milliseconds = started.elapsed().as_millis() as u64,
        );
        if !is_publicly_cacheable(&response) {
            response.headers_mut().insert(REQUEST_ID, HeaderValue::from(id));
        }
        response
    }

    /// Logs once that requests arrive through a proxy that is not trusted.
    fn record_proxy(&self, headers: &HeaderMap, peer: SocketAddr) {
        if self.app.trusted_proxies.contains(peer.ip().to_canonical()) {
            return;
        }
        let is_new = self.app.untrusted_proxy.record_peer(peer.ip(), headers.contains_key("x-forwarded-for"));
        if let Some(sentence) = self.app.untrusted_proxy.sentence().filter(|_| is_new) {
            tracing::warn!("{sentence}");
        }
    }

    /// Cross-site request forgery protection.
    ///
    /// # Errors
    /// [`Error::Forbidden`] for a write from another site with a signed-in organiser's cookie.
    fn require_own_write(&self, method: &Method, headers: &HeaderMap) -> crate::error::Result<()> {
        if method.is_safe() || Cookie::ORGANISER.values(headers, &self.app).is_empty() {
            return Ok(());
        }
        session::require_own_origin(headers, &self.app)
    }

    /// Fails with [`Error::ReadOnly`] for a write while the disk or the database is in trouble. Signing in and out stays
    /// possible, so that the organiser can view and export the data.
    fn require_writable_site(&self, method: &Method, path: &str) -> crate::error::Result<()> {
        if method.is_safe() || path == SIGN_IN || !api::is_api_path(path) {
            return Ok(());
        }
        match self.app.health.trouble() {
            Some(trouble) => Err(Error::ReadOnly(trouble.for_visitors())),
            None => Ok(()),
        }
    }

    /// Waits for the pages that were not rendered at the start. They are rendered when the first visitor asks for one.
    async fn complete_site(&self) -> crate::error::Result<()> {
        // A request that waits for this lock occupies no thread.
        let mut failed = self.completing.lock().await;
        if failed.is_some_and(|at| at.elapsed() < PAGES_RETRIED_AFTER) {
            return Err(Error::Unavailable("the pages could not be rendered".into()));
        }
        let outcome = blocking(&self.app, publish::complete).await;
        *failed = outcome.is_err().then(Instant::now);
        outcome
    }

    /// Answers requests that are neither cached nor for the API: a trailing slash, a method that a page does not allow,
    /// or an unknown address.
    fn outside_api(&self, method: &Method, path: &str, query: Option<&str>, headers: &HeaderMap) -> Response {
        let site = self.app.site();
        let trimmed = path.trim_end_matches('/');
        let reads = matches!(*method, Method::GET | Method::HEAD);
        if reads && trimmed != path && site.get(trimmed).is_some() {
            let target = query.map_or_else(|| trimmed.to_owned(), |query| format!("{trimmed}?{query}"));
            return redirect(&target, &self.answer_headers);
        }
        if site.get(path).is_some() {
            return self.refuse(Error::MethodNotAllowed("GET, HEAD".into()));
        }
        match site.not_found() {
            Some(page) if reads => document_response(page, headers).into_response(),
            _ => self.refuse(Error::no_such_path()),
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
    add_headers(response, headers)
}

/// Adds the security headers to an answer that is not a cached document.
pub fn add_headers(mut response: Response, headers: &HeaderMap) -> Response {
    for (name, value) in headers {
        // The page that shows an email has a content security policy of its own.
        response.headers_mut().entry(name.clone()).or_insert_with(|| value.clone());
    }
    response.headers_mut().entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

/// Whether a shared cache may store it. Then it must not carry one visitor's request id.
fn is_publicly_cacheable(response: &Response) -> bool {
    response.headers().get(CACHE_CONTROL).is_some_and(|value| value.as_bytes().starts_with(b"public"))
}

fn class_of(path: &str) -> Class {
    match (path, api::is_api_path(path)) {
        ("/healthz" | "/readyz", _) => Class::Health,
        (_, true) => Class::Api,
        (_, false) => Class::Other,
    }
}

/// The start of the path, unless it may hold an email address (with a plain or an encoded '@') or the token of a link.
fn loggable(path: &str) -> &str {
    if path.contains(['@', '%']) || api::holds_token(path) {
        return "(withheld)";
    }
    // Anybody can send a path of 60 KB, again and again.
    path.char_indices().nth(LOGGED_PATH).map_or(path, |(end, _)| &path[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_logged_path_is_short_and_holds_no_address() {
        let long = format!("/{}", "é".repeat(60_000));
        for (path, logged) in [
            ("/api/waitlist-signups", "/api/waitlist-signups".to_owned()),
            ("/ada@example.com", "(withheld)".to_owned()),
            ("/ada%40example.com", "(withheld)".to_owned()),
            (&long, format!("/{}", "é".repeat(199))),
        ] {
            assert_eq!(loggable(path), logged);
        }
    }
}
