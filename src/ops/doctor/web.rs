//! Network requests with a short timeout, which also covers resolving names.

use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::sync::mpsc;
use std::time::Duration;

use ureq::Agent;
use ureq::tls::{Certificate, RootCerts, TlsConfig};

pub const TIMEOUT: Duration = Duration::from_secs(4);

/// An HTTP client that trusts the web's usual root certificates.
pub fn agent() -> Agent {
    agent_with(TlsConfig::builder().root_certs(RootCerts::WebPki).build())
}

/// As [`agent`], but if there are certificates in `ca_file`, it trusts these alone.
pub fn agent_trusting(ca_file: &str) -> Agent {
    let own: Vec<Certificate<'static>> = std::fs::read(ca_file)
        .map(|pem| ureq::tls::parse_pem(&pem).filter_map(as_certificate).collect())
        .unwrap_or_default();
    if own.is_empty() {
        return agent();
    }
    agent_with(TlsConfig::builder().root_certs(RootCerts::Specific(own.into())).build())
}

/// An HTTP client for this machine's own IP addresses. No certificate covers them, so it does not verify any.
pub fn local_agent() -> Agent {
    agent_with(TlsConfig::builder().disable_verification(true).build())
}

fn agent_with(tls: TlsConfig) -> Agent {
    Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(0)
        .timeout_global(Some(TIMEOUT))
        .tls_config(tls)
        .build()
        .into()
}

fn as_certificate(item: Result<ureq::tls::PemItem<'static>, ureq::Error>) -> Option<Certificate<'static>> {
    match item {
        Ok(ureq::tls::PemItem::Certificate(certificate)) => Some(certificate),
        _ => None,
    }
}

/// Resolves a name. The system's resolver may take half a minute, so it runs in a thread that is abandoned after the
/// timeout.
pub fn addresses(host: &str, port: u16) -> Result<Vec<SocketAddr>, String> {
    let (sender, receiver) = mpsc::channel();
    let name = (host.to_owned(), port);
    std::thread::spawn(move || {
        let found = name.to_socket_addrs().map(Iterator::collect::<Vec<_>>);
        let _ = sender.send(found.map_err(|error| error.to_string()));
    });
    receiver.recv_timeout(TIMEOUT).unwrap_or_else(|_| Err("no name server answered in time".to_owned()))
}

/// Connects to the first address of a name that answers.
pub fn connect(host: &str, port: u16) -> Result<TcpStream, String> {
    let mut reason = "the name has no address".to_owned();
    for address in addresses(host, port)?.into_iter().take(2) {
        match TcpStream::connect_timeout(&address, TIMEOUT) {
            Ok(stream) => return Ok(stream),
            Err(error) => reason = error.to_string(),
        }
    }
    Err(reason)
}
