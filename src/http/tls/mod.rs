//! HTTPS: which certificate a client is shown, and the handshake.
//!
//! The certificate is the host's own (`tls.certificate`), or comes from a certificate authority by ACME;
//! until the first one is there a self-signed one keeps the site answering.

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

/// What a door needs to speak TLS.
pub struct Tls {
    pub certificates: Arc<Certificates>,
    for_visitors: Arc<ServerConfig>,
    for_challenges: Arc<ServerConfig>,
}

impl Tls {
    /// `None` when the settings ask for no HTTPS.
    ///
    /// # Errors
    /// [`Error::Failed`] when the host's own certificate or `tls.ca_file` cannot be used.
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

    /// Shakes hands; `None` when it was a certificate authority's challenge, which ends with that.
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

/// Whether the client has chosen HTTP/2.
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
    // Visitors who come back shake hands in short, a crowd of them too: the library would remember 256.
    config.ticketer =
        rustls::crypto::ring::Ticketer::new().map_err(|error| Error::Internal(format!("TLS: {error}")))?;
    config.send_tls13_tickets = 1;
    Ok(Arc::new(config))
}
