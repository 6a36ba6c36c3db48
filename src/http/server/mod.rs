//! Accepts connections, with a loop for each listener, and stops within a deadline.

pub mod activity;
pub mod connection;
pub mod connections;
pub mod io_timeout;
pub mod metrics_server;
pub mod redirect_server;
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
use super::server::connection::{ListenerContext, Service};
use super::server::connections::Connections;
use super::server::metrics_server::MetricsServer;
use super::server::redirect_server::RedirectServer;
use super::server::service::SiteService;
use super::tls::Tls;
use crate::app::App;

/// Turns true when the server is to stop.
pub type Stop = watch::Receiver<bool>;

/// A bound address and what is served there.
pub enum Listener {
    /// The site over plain HTTP, for this machine or a proxy.
    Http(TcpListener),
    /// The site over HTTPS.
    Https(TcpListener, Arc<Tls>),
    /// Redirects from plain HTTP to HTTPS.
    Redirect(TcpListener, Arc<Tls>),
    Metrics(TcpListener),
}

/// Serves until `stop` turns true, then lets open requests finish within `limits.shutdown_seconds`.
pub async fn serve(listeners: Vec<Listener>, app: Arc<App>, stop: Stop) {
    let limits = Arc::new(app.config.limits.clone());
    let connections = Arc::new(Connections::new(&limits));
    let metrics = Arc::new(Metrics::default());
    let site = Service::Site(Arc::new(SiteService::new(Arc::clone(&app), Arc::clone(&metrics))));
    let mut loops = JoinSet::new();
    for listener in listeners {
        let (listener, service, tls) = match listener {
            Listener::Http(listener) => (listener, site.clone(), None),
            Listener::Https(listener, tls) => (listener, site.clone(), Some(tls)),
            Listener::Redirect(listener, tls) => {
                let server = RedirectServer::new(&app, Arc::clone(&tls.certificates));
                (listener, Service::Redirect(Arc::new(server)), None)
            }
            Listener::Metrics(listener) => {
                let server = MetricsServer::new(Arc::clone(&app), Arc::clone(&metrics));
                (listener, Service::Metrics(Arc::new(server)), None)
            }
        };
        let context =
            ListenerContext { service, tls, limits: Arc::clone(&limits), metrics: Arc::clone(&metrics) };
        loops.spawn(accept_all(listener, context, Arc::clone(&app), Arc::clone(&connections), stop.clone()));
    }
    while loops.join_next().await.is_some() {}
    let grace = Duration::from_secs(limits.shutdown_seconds);
    if timeout(grace, connections.all_closed()).await.is_err() {
        tracing::warn!("some requests were still open after {} s and were aborted", limits.shutdown_seconds);
    }
}

async fn accept_all(
    listener: TcpListener,
    context: ListenerContext,
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
        let Some(slot) = connections.admit(peer.ip(), &app.trusted) else {
            tracing::debug!("a new connection was closed: all others have a request that is being answered");
            continue;
        };
        let (context, app, stop) = (context.clone(), Arc::clone(&app), stop.clone());
        tokio::spawn(async move {
            let metrics = Arc::clone(&context.metrics);
            metrics.connections.fetch_add(1, Ordering::Relaxed);
            context.serve(stream, peer, &slot.activity, stop).await;
            metrics.connections.fetch_sub(1, Ordering::Relaxed);
            app.connections_ended.fetch_add(1, Ordering::Relaxed);
            drop(slot);
        });
    }
}

async fn accept(listener: &TcpListener, connections: &Connections) -> Option<(TcpStream, SocketAddr)> {
    connections.few_are_ending().await;
    match listener.accept().await {
        Ok(accepted) => Some(accepted),
        // The client closed the connection before we accepted it.
        Err(error) if matches!(error.kind(), ErrorKind::ConnectionAborted | ErrorKind::ConnectionReset) => {
            None
        }
        Err(error) => {
            // Usually too many open files: closing a connection frees one.
            tracing::warn!("a connection could not be accepted: {error}");
            connections.close_longest_silent();
            sleep(Duration::from_millis(100)).await;
            None
        }
    }
}
