//! The accept loops, one for each listener, and a bounded stop.

pub mod activity;
pub mod connection;
pub mod connections;
pub mod head_timer;
pub mod io_timeout;
pub mod metrics_server;
pub mod redirect_server;
pub mod refusals;
pub mod request_check;
pub mod service;

use std::io::ErrorKind;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::metrics::Metrics;
use super::server::connection::{Answerer, Terms};
use super::server::connections::Connections;
use super::server::metrics_server::MetricsDoor;
use super::server::redirect_server::PlainDoor;
use super::server::refusals::Refusals;
use super::server::service::Front;
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
    let connections = Arc::new(Connections::new(&limits));
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
        loops.spawn(accept_all(listener, terms, Arc::clone(&app), Arc::clone(&connections), stop.clone()));
    }
    while loops.join_next().await.is_some() {}
    let grace = Duration::from_secs(limits.shutdown_seconds);
    if timeout(grace, connections.none_is_open()).await.is_err() {
        tracing::warn!("some requests were still open after {} s and were cut off", limits.shutdown_seconds);
    }
}

async fn accept_all(
    listener: TcpListener,
    terms: Terms,
    app: Arc<App>,
    connections: Arc<Connections>,
    mut stop: Stop,
) {
    loop {
        let accepted = tokio::select! {
            accepted = accept(&listener, &connections) => accepted,
            _ = stop.wait_for(|stopped| *stopped) => break,
        };
        let Some((stream, peer)) = accepted else { continue };
        let Some(place) = connections.admit(peer.ip(), &app.trusted) else {
            tracing::debug!("a connection was closed: all others have a request that is being answered");
            continue;
        };
        let (terms, app, stop) = (terms.clone(), Arc::clone(&app), stop.clone());
        tokio::spawn(async move {
            let metrics = Arc::clone(&terms.metrics);
            metrics.connections.fetch_add(1, Ordering::Relaxed);
            terms.serve(stream, peer, &place.activity, stop).await;
            metrics.connections.fetch_sub(1, Ordering::Relaxed);
            app.connections_ended.fetch_add(1, Ordering::Relaxed);
            drop(place);
        });
    }
}

async fn accept(listener: &TcpListener, connections: &Connections) -> Option<(TcpStream, SocketAddr)> {
    connections.few_are_ending().await;
    match listener.accept().await {
        Ok(accepted) => Some(accepted),
        // The client has gone before we came to it.
        Err(error) if matches!(error.kind(), ErrorKind::ConnectionAborted | ErrorKind::ConnectionReset) => {
            None
        }
        Err(error) => {
            // Out of file descriptors, mostly: connections that end give them back.
            tracing::warn!("a connection could not be accepted: {error}");
            connections.make_room();
            sleep(Duration::from_millis(100)).await;
            None
        }
    }
}
