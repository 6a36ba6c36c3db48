//! The accept loops: a connection cap for each door, and a bounded stop.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::connection::{Answerer, Terms};
use super::front::Front;
use super::metrics::Metrics;
use super::metrics_door::MetricsDoor;
use super::plain_door::PlainDoor;
use super::refusals::Refusals;
use super::tls::Tls;
use crate::app::App;

/// Tells a server to stop; every clone sees it.
pub type Stop = watch::Receiver<bool>;

/// Where the site is entered.
pub enum Door {
    /// The site by plain HTTP: on this machine, or behind a proxy.
    Http(TcpListener),
    Https(TcpListener, Arc<Tls>),
    /// Plain HTTP beside HTTPS: redirects.
    Redirect(TcpListener, Arc<Tls>),
    Metrics(TcpListener),
}

/// Serves until `stop` turns true, then lets open requests finish for `limits.shutdown_seconds`.
pub async fn serve(doors: Vec<Door>, app: Arc<App>, stop: Stop) {
    let limits = Arc::new(app.config.limits.clone());
    let metrics = Arc::new(Metrics::default());
    let refusals = Arc::new(Refusals::new(Arc::clone(&metrics)));
    let site = Answerer::Site(Arc::new(Front::new(Arc::clone(&app), Arc::clone(&metrics))));
    let mut loops = JoinSet::new();
    for door in doors {
        let (listener, answerer, tls) = match door {
            Door::Http(listener) => (listener, site.clone(), None),
            Door::Https(listener, tls) => (listener, site.clone(), Some(tls)),
            Door::Redirect(listener, tls) => {
                let door = PlainDoor::new(&app, Arc::clone(&tls.certificates));
                (listener, Answerer::Plain(Arc::new(door)), None)
            }
            Door::Metrics(listener) => {
                let door = MetricsDoor::new(Arc::clone(&app), Arc::clone(&metrics));
                (listener, Answerer::Metrics(Arc::new(door)), None)
            }
        };
        let terms = Terms {
            answerer,
            tls,
            limits: Arc::clone(&limits),
            refusals: Arc::clone(&refusals),
            metrics: Arc::clone(&metrics),
        };
        loops.spawn(accept_all(listener, terms, stop.clone()));
    }
    while loops.join_next().await.is_some() {}
}

async fn accept_all(listener: TcpListener, terms: Terms, mut stop: Stop) {
    let limits = Arc::clone(&terms.limits);
    let places = Arc::new(Semaphore::new(limits.connections));
    loop {
        let accepted = tokio::select! {
            accepted = accept(&listener, &places) => accepted,
            _ = stop.wait_for(|stopped| *stopped) => break,
        };
        let Some((stream, peer, place)) = accepted else { continue };
        let (terms, stop) = (terms.clone(), stop.clone());
        tokio::spawn(async move {
            let metrics = Arc::clone(&terms.metrics);
            metrics.connections.fetch_add(1, Ordering::Relaxed);
            terms.serve(stream, peer, stop).await;
            metrics.connections.fetch_sub(1, Ordering::Relaxed);
            drop(place);
        });
    }
    drop(listener);
    let patience = Duration::from_secs(limits.shutdown_seconds);
    let all_places = u32::try_from(limits.connections).unwrap_or(u32::MAX);
    if timeout(patience, places.acquire_many(all_places)).await.is_err() {
        tracing::warn!("some requests were still open after {} s and were cut off", limits.shutdown_seconds);
    }
}

async fn accept(
    listener: &TcpListener,
    places: &Arc<Semaphore>,
) -> Option<(TcpStream, SocketAddr, OwnedSemaphorePermit)> {
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
