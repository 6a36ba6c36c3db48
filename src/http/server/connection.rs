//! One connection, from its first byte to its last, and everything that the HTTP library does not limit:
//! the handshake, the first request, silence, answers that nobody reads.

use std::convert::Infallible;
use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::future::Either;
use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt, StreamExt};
use http::{Request, Response};
use http_body_util::Either as OneOf;
use hyper::body::{Body, Incoming};
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulConnection;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};

use super::activity::{Activity, Answering, Received};
use super::head_timer::HeadTimer;
use super::io_timeout::Patient;
use super::metrics_server::MetricsDoor;
use super::redirect_server::PlainDoor;
use super::refusals::Refusals;
use super::service::{Answer, Front, composed};
use crate::config::Limits;
use crate::http::Stop;
use crate::http::metrics::Metrics;
use crate::http::tls::{self, Tls};

/// Bytes that an HTTP/2 client may send ahead of our reading. With 200 ms to us, a picture of 8 MB takes 7 s.
const HTTP_2_WINDOW: u32 = 256 * 1024;
/// How long a connection that is being ended may take to say good-bye.
const GOOD_BYE: Duration = Duration::from_secs(2);

type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// Who answers the requests of a door.
#[derive(Clone)]
pub enum Answerer {
    Site(Arc<Front>),
    /// Plain HTTP beside HTTPS: redirects, and answers the certificate authority.
    Plain(Arc<PlainDoor>),
    Metrics(Arc<MetricsDoor>),
}

impl Answerer {
    fn answer(&self, request: Request<Received>, peer: SocketAddr) -> Answer {
        match self {
            Answerer::Site(front) => front.answer(request, peer),
            Answerer::Plain(door) => composed(door.answer(request)),
            Answerer::Metrics(door) => {
                let door = Arc::clone(door);
                Answer::Right(Box::pin(async move { door.answer(&request).await }))
            }
        }
    }
}

/// What the connections of a door share.
#[derive(Clone)]
pub struct Terms {
    pub answerer: Answerer,
    pub tls: Option<Arc<Tls>>,
    pub limits: Arc<Limits>,
    pub refusals: Arc<Refusals>,
    pub metrics: Arc<Metrics>,
}

impl Terms {
    /// Serves a connection until it ends, or has to.
    pub async fn serve(self, stream: TcpStream, peer: SocketAddr, activity: &Arc<Activity>, stop: Stop) {
        let _ = stream.set_nodelay(true);
        let Some(tls) = &self.tls else {
            return self.http_1(stream, peer, activity, stop).await;
        };
        let handshake = Duration::from_secs(self.limits.handshake_seconds);
        let shaken = tokio::select! {
            shaken = timeout(handshake, tls.accept(stream)) => shaken,
            () = activity.ended() => return,
        };
        match shaken {
            Ok(Ok(Some(stream))) if tls::speaks_http_2(&stream) => {
                self.http_2(stream, peer, activity, stop).await;
            }
            Ok(Ok(Some(stream))) => self.http_1(stream, peer, activity, stop).await,
            Ok(Ok(None)) => tracing::info!("answered the certificate authority's challenge"),
            Ok(Err(error)) => tracing::debug!("a handshake failed: {error}"),
            Err(_) => tracing::debug!("a handshake took too long"),
        }
    }

    async fn http_1<S>(&self, stream: S, peer: SocketAddr, activity: &Arc<Activity>, stop: Stop)
    where
        S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    {
        let io = self.watched(stream, activity, Some(Arc::clone(&self.refusals)));
        let service = service_fn(|request| answer(&self.answerer, activity, request, peer));
        let connection = hyper::server::conn::http1::Builder::new()
            .timer(HeadTimer::default())
            .header_read_timeout(Duration::from_secs(self.limits.header_seconds))
            .max_buf_size(64 * 1024)
            // Who sends a request and then only listens is answered.
            .half_close(true)
            .serve_connection(TokioIo::new(io), service);
        self.drive(connection, activity, stop).await;
    }

    async fn http_2<S>(&self, stream: S, peer: SocketAddr, activity: &Arc<Activity>, stop: Stop)
    where
        S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    {
        let io = self.watched(stream, activity, None);
        let (answerer, watched) = (self.answerer.clone(), Arc::clone(activity));
        let service = service_fn(move |request| answer(&answerer, &watched, request, peer));
        let connection = hyper::server::conn::http2::Builder::new(TokioExecutor::new())
            .timer(TokioTimer::new())
            .max_concurrent_streams(100)
            .max_header_list_size(64 * 1024)
            .max_pending_accept_reset_streams(20)
            .max_send_buf_size(128 * 1024)
            // What the library takes in before anybody reads it, for all streams together and for one.
            .initial_connection_window_size(HTTP_2_WINDOW)
            .initial_stream_window_size(HTTP_2_WINDOW)
            .serve_connection(TokioIo::new(io), service);
        self.drive(connection, activity, stop).await;
    }

    fn watched<S: AsyncWrite + Unpin>(
        &self,
        stream: S,
        activity: &Arc<Activity>,
        refusals: Option<Arc<Refusals>>,
    ) -> Patient<S> {
        let patience = Duration::from_secs(self.limits.write_seconds);
        Patient::new(stream, Arc::clone(activity), patience, refusals)
    }

    /// Runs a connection, and ends it when its client has made no progress for too long, or its place is needed.
    async fn drive<C: GracefulConnection>(&self, connection: C, activity: &Activity, stop: Stop)
    where
        C::Error: std::fmt::Display,
    {
        let longest_silence = Duration::from_secs(self.limits.header_seconds.max(self.limits.write_seconds));
        let first_request = Duration::from_secs(self.limits.first_request_seconds);
        // A set, as it asks only those that have something to say; every request wakes this up.
        let mut events = FuturesUnordered::new();
        events.push(Either::Left(told(stop, activity)));
        events.push(Either::Right(time_to_look(first_request)));
        let mut is_ending = false;
        tokio::pin!(connection);
        loop {
            let event = tokio::select! {
                biased;
                ended = &mut connection => {
                    return ended.unwrap_or_else(|error| tracing::debug!("a connection ended: {error}"));
                }
                Some(event) = events.next() => event,
            };
            match event {
                Event::Stopped => {}
                Event::PlaceIsNeeded => {
                    // Says good-bye as far as that goes without waiting.
                    connection.as_mut().graceful_shutdown();
                    let _ = connection.as_mut().now_or_never();
                    return;
                }
                Event::TimeToLook => {
                    let silence = activity.silence();
                    let is_silent = silence >= longest_silence;
                    if !activity.has_asked() || (is_silent && is_ending) {
                        return;
                    }
                    let pause = if is_silent { GOOD_BYE } else { longest_silence - silence };
                    events.push(Either::Right(time_to_look(pause)));
                    if !is_silent {
                        continue;
                    }
                }
            }
            is_ending = true;
            connection.as_mut().graceful_shutdown();
        }
    }
}

/// What a connection is driven by beside its bytes.
enum Event {
    /// The server stops.
    Stopped,
    /// Another connection gets the place of this one.
    PlaceIsNeeded,
    TimeToLook,
}

async fn told(mut stop: Stop, activity: &Activity) -> Event {
    tokio::select! {
        _ = stop.wait_for(|stopped| *stopped) => Event::Stopped,
        () = activity.ended() => Event::PlaceIsNeeded,
    }
}

async fn time_to_look(after: Duration) -> Event {
    sleep(after).await;
    Event::TimeToLook
}

/// The answer's body is one of two, as they come from [`Front::answer`].
fn answer(
    answerer: &Answerer,
    activity: &Arc<Activity>,
    request: Request<Incoming>,
    peer: SocketAddr,
) -> impl Future<Output = Result<Response<impl Body<Data = Bytes, Error = BoxError> + use<>>, Infallible>> + use<>
{
    activity.note_request();
    match answerer.answer(request.map(|body| Received::new(body, activity)), peer) {
        Either::Left(ready) => Either::Left(ready.map(|response| Ok(response.map(OneOf::Left)))),
        Either::Right(later) => {
            let answering = Answering::begin(activity);
            Either::Right(later.map(move |response| {
                drop(answering);
                Ok(response.map(OneOf::Right))
            }))
        }
    }
}
