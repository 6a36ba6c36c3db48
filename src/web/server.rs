//! The accept loop: a connection cap, deadlines that the HTTP library leaves out, and a bounded stop.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::time::{sleep, timeout};

use super::front::Front;
use crate::app::App;
use crate::config::Limits;

/// Tells a server to stop; every clone sees it.
pub type Stop = watch::Receiver<bool>;

/// Serves until `stop` turns true, then lets open requests finish for `limits.shutdown_seconds`.
pub async fn serve(listener: TcpListener, app: Arc<App>, mut stop: Stop) {
    let limits = app.config.limits.clone();
    let places = Arc::new(Semaphore::new(limits.connections));
    let connections = GracefulShutdown::new();
    let front = Arc::new(Front::new(app));
    loop {
        let accepted = tokio::select! {
            accepted = accept(&listener, &places) => accepted,
            _ = stop.wait_for(|stopped| *stopped) => break,
        };
        let Some((stream, peer, place)) = accepted else { continue };
        let connection = answer(stream, peer, Arc::clone(&front), limits.clone(), connections.watcher());
        tokio::spawn(async move {
            connection.await;
            drop(place);
        });
    }
    drop(listener);
    let patience = Duration::from_secs(limits.shutdown_seconds);
    if timeout(patience, connections.shutdown()).await.is_err() {
        tracing::warn!("some requests were still open after {} s and were cut off", limits.shutdown_seconds);
    }
}

async fn accept(
    listener: &TcpListener,
    places: &Arc<Semaphore>,
) -> Option<(TcpStream, SocketAddr, tokio::sync::OwnedSemaphorePermit)> {
    let place = Arc::clone(places).acquire_owned().await.ok()?;
    match listener.accept().await {
        Ok((stream, peer)) => Some((stream, peer, place)),
        Err(error) => {
            // Out of file descriptors, mostly: connections that end give them back.
            tracing::warn!("a connection could not be accepted: {error}");
            sleep(Duration::from_millis(100)).await;
            None
        }
    }
}

/// One connection, from its first byte to its last.
async fn answer(stream: TcpStream, peer: SocketAddr, front: Arc<Front>, limits: Limits, watcher: Watcher) {
    let _ = stream.set_nodelay(true);
    let asked = Arc::new(AtomicBool::new(false));
    let service = {
        let asked = Arc::clone(&asked);
        service_fn(move |request| {
            asked.store(true, Ordering::Relaxed);
            Arc::clone(&front).answer(request, peer)
        })
    };
    let connection = hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(Duration::from_secs(limits.header_seconds))
        .max_headers(100)
        .max_buf_size(64 * 1024)
        .serve_connection(TokioIo::new(stream), service);
    let connection = watcher.watch(connection);
    tokio::pin!(connection);
    tokio::select! {
        ended = &mut connection => return ended.unwrap_or_else(|error| tracing::debug!("a connection ended: {error}")),
        () = sleep(Duration::from_secs(limits.first_request_seconds)) => {}
    }
    // A connection that has asked for nothing by now is dropped; any other goes on under hyper's timer.
    if asked.load(Ordering::Relaxed) {
        connection.await.unwrap_or_else(|error| tracing::debug!("a connection ended: {error}"));
    }
}
