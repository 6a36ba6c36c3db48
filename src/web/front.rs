//! What every request meets first: a cached page or asset answers at once, before any routing; all
//! else goes to the filters. Here every answer gets its request id, and is logged without a person's data.

use std::future::{Ready, ready};
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use bytes::Bytes;
use futures_util::future::Either;
use http::header::{HeaderMap, HeaderValue, LOCATION, STRICT_TRANSPORT_SECURITY};
use http::{Method, Request, StatusCode};
use hyper::body::Incoming;
use warp::Reply;
use warp::reply::Response;

use super::client;
use super::document::{answer_with, without_body};
use super::metrics::{Class, Metrics};
use super::routes::{self, Later};
use super::session;
use super::shape;
use crate::app::App;
use crate::error::Error;
use crate::render::headers;
use crate::render::headers::REQUEST_ID;

const SIGN_IN: &str = "/api/admin/session";

/// Browsers come by HTTPS for a year from now on, whatever address is typed.
const A_YEAR: HeaderValue = HeaderValue::from_static("max-age=31536000");

/// What is ready leaves without being asked for again.
pub type Answer = Either<Ready<Response>, Later>;

pub fn at_once(response: Response) -> Answer {
    Either::Left(ready(response))
}

/// What is kept of a request until its answer leaves.
#[derive(Clone, Copy)]
struct Noted {
    /// `None` for what was ready: it leaves in less than a clock tells, and asking two is a hundredth of its time.
    started: Option<Instant>,
    id: u64,
    is_head: bool,
}

pub struct Front {
    app: Arc<App>,
    routes: Box<dyn Fn(Request<Incoming>) -> Later + Send + Sync>,
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

    /// The answer; that of a cached page is there before this returns, so that the request and its place in the
    /// connection's buffer are free again when the connection looks for the next one.
    pub fn answer(self: &Arc<Self>, mut request: Request<Incoming>, peer: SocketAddr) -> Answer {
        let noted = Noted {
            started: None,
            id: self.requests.fetch_add(1, Ordering::Relaxed),
            is_head: *request.method() == Method::HEAD,
        };
        if let Err(error) = shape::require_sound(&mut request) {
            let refusal = complete(error.into_response(), &self.answer_headers);
            return at_once(self.leave(shape::last_answer(&request, refusal), Class::Other, noted));
        }
        if let Some(response) = self.cached(&request) {
            return at_once(self.leave(response, Class::Page, noted));
        }
        let noted = Noted { started: Some(Instant::now()), ..noted };
        let front = Arc::clone(self);
        Either::Right(Box::pin(async move {
            let class = class_of(request.uri().path());
            let response = front.routed(request, peer, noted.id).await;
            front.leave(response, class, noted)
        }))
    }

    /// What every answer gets on its way out.
    fn leave(&self, mut response: Response, class: Class, noted: Noted) -> Response {
        if noted.is_head {
            response = without_body(response);
        }
        let took = noted.started.map(|started| started.elapsed()).unwrap_or_default();
        self.metrics.note(class, response.status().as_u16(), took);
        let headers = response.headers_mut();
        headers.insert(REQUEST_ID, HeaderValue::from(noted.id));
        if self.is_https {
            headers.insert(STRICT_TRANSPORT_SECURITY, A_YEAR);
        }
        response
    }

    /// The ready answer to a request for a page or an asset.
    fn cached(&self, request: &Request<Incoming>) -> Option<Response> {
        let path = request.uri().path();
        self.app.with_site(|site| {
            let document = site.get(path)?;
            Some(match *request.method() {
                Method::GET | Method::HEAD => answer_with(document, request.headers()),
                _ => complete(Error::MethodNotAllowed("GET, HEAD").into_response(), &self.answer_headers),
            })
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
            Some(page) if reads => answer_with(page, headers),
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
