//! HTTPS: the TLS handshake and the certificate.
//!
//! The certificate is the configured one (`tls.certificate`) or is issued by a certificate authority over ACME. Until
//! the first one is issued, a self-signed one is served.

mod acme;
mod certificates;

use std::io;
use std::sync::Arc;

use rustls::ServerConfig;
use rustls_acme::is_tls_alpn_challenge;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio_rustls::LazyConfigAcceptor;
use tokio_rustls::server::TlsStream;

use crate::config::Config;
use crate::error::{Error, Result};
use crate::ops::certificates::roots;

pub use acme::keep_certified;
pub use certificates::Certificates;

const HTTP_2: &[u8] = b"h2";
const HTTP_1: &[u8] = b"http/1.1";
const CHALLENGE: &[u8] = b"acme-tls/1";

/// The TLS configuration of a listener.
pub struct Tls {
    pub certificates: Arc<Certificates>,
    for_visitors: Arc<ServerConfig>,
    for_challenges: Arc<ServerConfig>,
}

impl Tls {
    /// `None` if HTTPS is not configured.
    ///
    /// # Errors
    /// [`Error::Failed`] when the configured certificate or `tls.ca_file` cannot be used.
    pub fn new(config: &Config) -> Result<Option<Arc<Tls>>> {
        let Some(certificates) = Certificates::new(config)? else { return Ok(None) };
        roots(&config.tls.ca_file)?;
        let certificates = Arc::new(certificates);
        Ok(Some(Arc::new(Tls {
            for_visitors: server_config(&certificates, &[HTTP_2, HTTP_1])?,
            for_challenges: server_config(&certificates, &[CHALLENGE])?,
            certificates,
        })))
    }

    /// Performs the handshake; `None` if it was a certificate authority's challenge, which ends the connection.
    pub async fn accept(&self, stream: TcpStream) -> io::Result<Option<TlsStream<TcpStream>>> {
        let start = LazyConfigAcceptor::new(rustls::server::Acceptor::default(), stream).await?;
        if is_tls_alpn_challenge(&start.client_hello()) {
            let mut stream = start.into_stream(Arc::clone(&self.for_challenges)).await?;
            stream.shutdown().await?;
            return Ok(None);
        }
        start.into_stream(Arc::clone(&self.for_visitors)).await.map(Some)
    }
}

/// Whether HTTP/2 was negotiated.
pub fn speaks_http_2(stream: &TlsStream<TcpStream>) -> bool {
    stream.get_ref().1.alpn_protocol() == Some(HTTP_2)
}

fn server_config(certificates: &Arc<Certificates>, protocols: &[&[u8]]) -> Result<Arc<ServerConfig>> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| Error::Internal(format!("TLS: {error}")))?
        .with_no_client_auth()
        .with_cert_resolver(Arc::clone(certificates) as Arc<dyn rustls::server::ResolvesServerCert>);
    config.alpn_protocols = protocols.iter().map(|name| name.to_vec()).collect();
    // Session tickets let returning visitors resume. rustls's default, a cache of 256 sessions, is too small for a rush.
    config.ticketer =
        rustls::crypto::ring::Ticketer::new().map_err(|error| Error::Internal(format!("TLS: {error}")))?;
    config.send_tls13_tickets = 1;
    Ok(Arc::new(config))
}
