//! Serves one connection, with the timeouts that the HTTP library lacks: for the handshake, the first request, an idle
//! client, and a client that does not read its answer.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use http::Request;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulConnection;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::time::{Instant, sleep, timeout};
use warp::reply::Response;

use super::activity::{Activity, Answering, Received};
use super::io_timeout::TimeoutStream;
use super::metrics_server::MetricsServer;
use super::redirect_server::RedirectServer;
use super::request_check;
use super::service::SiteService;
use crate::config::Limits;
use crate::http::Stop;
use crate::http::metrics::Metrics;
use crate::http::tls::{self, Tls};

/// The HTTP/2 flow-control window, in bytes. With a round trip of 200 ms an 8 MB picture uploads in 7 s.
const HTTP_2_WINDOW: u32 = 256 * 1024;
/// How long a connection may take to close gracefully.
const CLOSE_GRACE: Duration = Duration::from_secs(2);

/// What answers the requests of a listener.
#[derive(Clone)]
pub enum Service {
    Site(Arc<SiteService>),
    Redirect(Arc<RedirectServer>),
    Metrics(Arc<MetricsServer>),
}

impl Service {
    async fn answer(&self, request: Request<Received>, peer: SocketAddr) -> Response {
        match self {
            Service::Site(site) => site.answer(request, peer).await,
            Service::Redirect(server) => server.answer(request),
            Service::Metrics(server) => server.answer(&request).await,
        }
    }
}

/// What the connections of a listener share.
#[derive(Clone)]
pub struct ListenerContext {
    pub service: Service,
    pub tls: Option<Arc<Tls>>,
    pub limits: Arc<Limits>,
    pub metrics: Arc<Metrics>,
}

impl ListenerContext {
    /// Serves a connection until it ends, times out or is closed for another one.
    pub async fn serve(self, stream: TcpStream, peer: SocketAddr, activity: &Arc<Activity>, stop: Stop) {
        let _ = stream.set_nodelay(true);
        let Some(tls) = &self.tls else {
            return self.http_1(stream, peer, activity, stop).await;
        };
        let handshake_timeout = Duration::from_secs(self.limits.handshake_seconds);
        let handshake = tokio::select! {
            handshake = timeout(handshake_timeout, tls.accept(stream)) => handshake,
            () = activity.ended() => return,
        };
        match handshake {
            Ok(Ok(Some(stream))) if tls::speaks_http_2(&stream) => {
                self.http_2(stream, peer, activity, stop).await;
            }
            Ok(Ok(Some(stream))) => self.http_1(stream, peer, activity, stop).await,
            Ok(Ok(None)) => tracing::info!("answered the certificate authority's challenge"),
            Ok(Err(error)) => tracing::debug!("a TLS handshake failed: {error}"),
            Err(_) => tracing::debug!("a TLS handshake timed out"),
        }
    }

    async fn http_1<S>(&self, stream: S, peer: SocketAddr, activity: &Arc<Activity>, stop: Stop)
    where
        S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    {
        let io = self.with_timeout(stream, activity, true);
        let service = service_fn(|request| answer(self.service.clone(), Arc::clone(activity), request, peer));
        let connection = hyper::server::conn::http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(Duration::from_secs(self.limits.header_seconds))
            .max_buf_size(64 * 1024)
            // Answers a client that closes its sending side after the request.
            .half_close(true)
            .serve_connection(TokioIo::new(io), service);
        self.drive(connection, activity, stop).await;
    }

    async fn http_2<S>(&self, stream: S, peer: SocketAddr, activity: &Arc<Activity>, stop: Stop)
    where
        S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    {
        let io = self.with_timeout(stream, activity, false);
        let (service, request_activity) = (self.service.clone(), Arc::clone(activity));
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
        self.drive(connection, activity, stop).await;
    }

    fn with_timeout<S: AsyncRead + AsyncWrite + Unpin>(
        &self,
        stream: S,
        activity: &Arc<Activity>,
        is_http_1: bool,
    ) -> TimeoutStream<S> {
        let timeout = Duration::from_secs(self.limits.write_seconds);
        TimeoutStream::new(stream, Arc::clone(activity), timeout, is_http_1)
    }

    /// Runs a connection. Ends it when its client has made no progress for too long, when its slot is needed for
    /// another one, or when the server stops.
    async fn drive<C: GracefulConnection>(&self, connection: C, activity: &Activity, stop: Stop)
    where
        C::Error: std::fmt::Display,
    {
        let idle_timeout = Duration::from_secs(self.limits.header_seconds.max(self.limits.write_seconds));
        let first_request_timeout = Duration::from_secs(self.limits.first_request_seconds);
        let (mut has_stopped, mut is_ending) = (false, false);
        let (stopped, evicted, idle_check) = (stopped(stop), activity.ended(), sleep(first_request_timeout));
        tokio::pin!(connection, stopped, evicted, idle_check);
        loop {
            tokio::select! {
                biased;
                ended = &mut connection => {
                    return ended.unwrap_or_else(|error| tracing::debug!("a connection ended: {error}"));
                }
                () = &mut stopped, if !has_stopped => has_stopped = true,
                () = &mut evicted => {
                    // Sends a GOAWAY or closes, as far as possible without waiting.
                    connection.as_mut().graceful_shutdown();
                    let _ = connection.as_mut().now_or_never();
                    return;
                }
                () = &mut idle_check => {
                    let silence = activity.silence();
                    let is_idle = silence >= idle_timeout;
                    if !activity.has_requested() || (is_idle && is_ending) {
                        return;
                    }
                    let pause = if is_idle { CLOSE_GRACE } else { idle_timeout - silence };
                    idle_check.as_mut().reset(Instant::now() + pause);
                    if !is_idle {
                        continue;
                    }
                }
            }
            is_ending = true;
            connection.as_mut().graceful_shutdown();
        }
    }
}

async fn stopped(mut stop: Stop) {
    let _ = stop.wait_for(|stopped| *stopped).await;
}

/// Answers a request, and counts it as being answered meanwhile.
async fn answer(
    service: Service,
    activity: Arc<Activity>,
    request: Request<Incoming>,
    peer: SocketAddr,
) -> Result<Response, Infallible> {
    activity.note_request();
    let version = request.version();
    let request = request.map(|body| Received::new(body, &activity));
    let _answering = Answering::begin(&activity);
    let response = service.answer(request, peer).await;
    // What is left of an unread body would be taken for the next request, so the library closes the connection.
    Ok(if activity.has_unread_body() { request_check::last_answer(version, response) } else { response })
}
