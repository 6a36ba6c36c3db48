//! Accepts connections, with a loop for each listener, and stops within a deadline.

pub mod activity;
pub mod connection;
pub mod metrics_server;
pub mod redirect_server;
pub mod request_check;
pub mod service;

use std::convert::Infallible;
use std::io::ErrorKind;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::client_ip::Client;
use super::metrics::Metrics;
use super::server::connection::{ListenerContext, Service};
use super::server::service::SiteService;
use super::shares::{Share, Shares};
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
    let limits = &app.config.limits;
    let slots = Shares::new(limits.connections);
    let client_timeout = Duration::from_secs(limits.client_timeout_seconds);
    let metrics = Arc::new(Metrics::default());
    // Every open connection has a sender, and the receiver ends when there is none any more.
    let (sender, mut all_closed) = mpsc::channel::<Infallible>(1);
    let site = Service::Site(Arc::new(SiteService::new(Arc::clone(&app), Arc::clone(&metrics))));
    let mut loops = JoinSet::new();
    for listener in listeners {
        let (listener, service, tls) = match listener {
            Listener::Http(listener) => (listener, site.clone(), None),
            Listener::Https(listener, tls) => (listener, site.clone(), Some(tls)),
            Listener::Redirect(listener, tls) => {
                (listener, Service::Redirect(Arc::clone(&app), Arc::clone(&tls.certificates)), None)
            }
            Listener::Metrics(listener) => {
                (listener, Service::Metrics(Arc::clone(&app), Arc::clone(&metrics)), None)
            }
        };
        let context = ListenerContext { service, tls, timeout: client_timeout };
        let (app, metrics) = (Arc::clone(&app), Arc::clone(&metrics));
        let acceptor = Acceptor { app, metrics, slots: Arc::clone(&slots), sender: sender.clone() };
        loops.spawn(acceptor.accept_all(listener, context, stop.clone()));
    }
    drop(sender);
    while loops.join_next().await.is_some() {}
    let grace = Duration::from_secs(limits.shutdown_seconds);
    if timeout(grace, all_closed.recv()).await.is_err() {
        tracing::warn!("some requests were still open after {} s and were aborted", limits.shutdown_seconds);
    }
}

/// What all connections count in.
struct Acceptor {
    app: Arc<App>,
    metrics: Arc<Metrics>,
    slots: Arc<Shares>,
    sender: mpsc::Sender<Infallible>,
}

impl Acceptor {
    async fn accept_all(self, listener: TcpListener, context: ListenerContext, mut stop: Stop) {
        loop {
            let accepted = tokio::select! {
                accepted = listener.accept() => accepted,
                _ = stop.wait_for(|stopped| *stopped) => break,
            };
            match accepted {
                Ok((stream, peer)) => match self.open(peer.ip()) {
                    Some(open) => {
                        let (context, stop) = (context.clone(), stop.clone());
                        tokio::spawn(async move {
                            context.serve(stream, peer, stop).await;
                            drop(open);
                        });
                    }
                    None => tracing::debug!("a new connection was closed: there is no room for it"),
                },
                // The client closed the connection before we accepted it.
                Err(error)
                    if matches!(error.kind(), ErrorKind::ConnectionAborted | ErrorKind::ConnectionReset) => {}
                Err(error) => {
                    // Usually too many open files.
                    tracing::warn!("a connection could not be accepted: {error}");
                    sleep(Duration::from_millis(100)).await;
                }
            }
        }
    }

    /// Counts a connection as open; `None` if there is no room. A trusted proxy is only limited in total.
    fn open(&self, peer: IpAddr) -> Option<OpenConnection> {
        let is_proxy = self.app.trusted_proxies.contains(peer.to_canonical());
        let mut slot = self.slots.share((!is_proxy).then(|| Client::new(peer).network()));
        if !slot.grow(1) {
            return None;
        }
        self.metrics.connections.fetch_add(1, Ordering::Relaxed);
        let metrics = Arc::clone(&self.metrics);
        Some(OpenConnection { metrics, _slot: slot, _sender: self.sender.clone() })
    }
}

/// Counts a connection as open until it is dropped, also by a panic.
struct OpenConnection {
    metrics: Arc<Metrics>,
    _slot: Share,
    _sender: mpsc::Sender<Infallible>,
}

impl Drop for OpenConnection {
    fn drop(&mut self) {
        self.metrics.connections.fetch_sub(1, Ordering::Relaxed);
    }
}
