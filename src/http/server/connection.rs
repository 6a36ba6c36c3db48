//! Serves one connection, and ends it when its client makes no progress. The HTTP library has no such deadlines for HTTP/2.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use http::{Request, Version};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulConnection;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::time::{Instant, interval_at, timeout};
use warp::Reply;
use warp::reply::Response;

use super::activity::{Activity, Answering, CountedStream, RequestBody, Snapshot};
use super::service::{SiteService, add_headers};
use super::{metrics_server, redirect_server, request_check};
use crate::app::App;
use crate::error::Error;
use crate::http::Stop;
use crate::http::metrics::Metrics;
use crate::http::tls::{self, Certificates, Tls};
use crate::site::render::headers;

/// The HTTP/2 flow-control window, in bytes. With a round trip of 200 ms an 8 MB picture uploads in 7 s.
const HTTP_2_WINDOW: u32 = 256 * 1024;
/// How often a connection is checked within `limits.client_timeout_seconds`. It ends when nothing happened between so
/// many checks; before its first request, half of them.
const CHECKS: u32 = 6;

/// What answers the requests of a listener.
#[derive(Clone)]
pub enum Service {
    Site(Arc<SiteService>),
    Redirect(Arc<App>, Arc<Certificates>),
    Metrics(Arc<App>, Arc<Metrics>),
}

impl Service {
    async fn answer(&self, request: Request<RequestBody>, peer: SocketAddr) -> Response {
        match self {
            Service::Site(site) => site.answer(request, peer).await,
            Service::Redirect(app, certificates) => redirect_server::answer(app, certificates, request),
            Service::Metrics(app, metrics) => {
                metrics_server::answer(app, Arc::clone(metrics), &request).await
            }
        }
    }
}

/// What the connections of a listener share.
#[derive(Clone)]
pub struct ListenerContext {
    pub service: Service,
    pub tls: Option<Arc<Tls>>,
    /// How long a client may take for anything.
    pub timeout: Duration,
}

impl ListenerContext {
    /// Serves a connection until it ends or times out.
    pub async fn serve(self, stream: TcpStream, peer: SocketAddr, stop: Stop) {
        let _ = stream.set_nodelay(true);
        let Some(tls) = &self.tls else { return self.http_1(stream, peer, stop).await };
        match timeout(self.timeout / 2, tls.accept(stream)).await {
            Ok(Ok(Some(stream))) if tls::speaks_http_2(&stream) => self.http_2(stream, peer, stop).await,
            Ok(Ok(Some(stream))) => self.http_1(stream, peer, stop).await,
            Ok(Ok(None)) => tracing::info!("answered the certificate authority's challenge"),
            Ok(Err(error)) => tracing::debug!("a TLS handshake failed: {error}"),
            Err(_) => tracing::debug!("a TLS handshake timed out"),
        }
    }

    async fn http_1<S>(&self, stream: S, peer: SocketAddr, stop: Stop)
    where
        S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    {
        let activity = Arc::new(Activity::default());
        let io = CountedStream::new(stream, Arc::clone(&activity), Version::HTTP_11);
        let service =
            service_fn(|request| answer(self.service.clone(), Arc::clone(&activity), request, peer));
        let connection = hyper::server::conn::http1::Builder::new()
            .max_buf_size(64 * 1024)
            // Answers a client that closes its sending side after the request.
            .half_close(true)
            .serve_connection(TokioIo::new(io), service);
        self.drive(connection, &activity, stop).await;
    }

    async fn http_2<S>(&self, stream: S, peer: SocketAddr, stop: Stop)
    where
        S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    {
        let activity = Arc::new(Activity::default());
        let io = CountedStream::new(stream, Arc::clone(&activity), Version::HTTP_2);
        let (service, request_activity) = (self.service.clone(), Arc::clone(&activity));
        let service =
            service_fn(move |request| answer(service.clone(), Arc::clone(&request_activity), request, peer));
        let connection = hyper::server::conn::http2::Builder::new(TokioExecutor::new())
            .timer(TokioTimer::new())
            .max_concurrent_streams(100)
            .max_header_list_size(64 * 1024)
            .max_pending_accept_reset_streams(20)
            .max_send_buf_size(128 * 1024)
            // How much the library buffers before we read it, for the connection and for one stream.
            .initial_connection_window_size(HTTP_2_WINDOW)
            .initial_stream_window_size(HTTP_2_WINDOW)
            .serve_connection(TokioIo::new(io), service);
        self.drive(connection, &activity, stop).await;
    }

    /// Runs a connection until it ends, its client has made no progress for too long, or the server stops.
    async fn drive<C: GracefulConnection>(&self, connection: C, activity: &Activity, mut stop: Stop)
    where
        C::Error: std::fmt::Display,
    {
        let pause = self.timeout / CHECKS;
        let mut checks = interval_at(Instant::now() + pause, pause);
        let (mut seen, mut idle_checks, mut is_ending) = (Snapshot::default(), 0, false);
        tokio::pin!(connection);
        loop {
            tokio::select! {
                biased;
                ended = &mut connection => {
                    return ended.unwrap_or_else(|error| tracing::debug!("a connection ended: {error}"));
                }
                _ = stop.wait_for(|stopped| *stopped), if !is_ending => {}
                _ = checks.tick() => {
                    idle_checks = if activity.has_progressed(&mut seen) { 0 } else { idle_checks + 1 };
                    if idle_checks > CHECKS || (idle_checks == CHECKS / 2 && !activity.has_received_request()) {
                        return;
                    }
                    if idle_checks < CHECKS {
                        continue;
                    }
                }
            }
            is_ending = true;
            connection.as_mut().graceful_shutdown();
        }
    }
}

/// Answers a request, and counts it as being answered meanwhile.
async fn answer(
    service: Service,
    activity: Arc<Activity>,
    request: Request<Incoming>,
    peer: SocketAddr,
) -> Result<Response, Infallible> {
    let version = request.version();
    let request = request.map(|body| RequestBody::new(body, &activity));
    let _answering = Answering::begin(&activity);
    // The panic hook has logged the place.
    let answered = AssertUnwindSafe(service.answer(request, peer)).catch_unwind().await;
    let response = answered.unwrap_or_else(|_| {
        add_headers(Error::Internal("a handler panicked".into()).into_response(), &headers::of_answer())
    });
    // What is left of an unread body would be taken for the next request, so the library closes the connection.
    Ok(if activity.has_unread_body() { request_check::last_answer(version, response) } else { response })
}
