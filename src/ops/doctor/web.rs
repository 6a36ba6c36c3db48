//! Asking other machines: every question has a short deadline, names too.

use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::sync::mpsc;
use std::time::Duration;

use ureq::Agent;
use ureq::tls::{Certificate, RootCerts, TlsConfig};

pub const PATIENCE: Duration = Duration::from_secs(4);

/// Asks by HTTP; believes the usual roots, and those in the file besides, if one is named.
pub fn agent(ca_file: &str) -> Agent {
    let own: Vec<Certificate<'static>> = std::fs::read(ca_file)
        .map(|pem| ureq::tls::parse_pem(&pem).filter_map(as_certificate).collect())
        .unwrap_or_default();
    let roots = if own.is_empty() { RootCerts::WebPki } else { RootCerts::Specific(own.into()) };
    agent_with(TlsConfig::builder().root_certs(roots).build())
}

/// Asks this machine by its address, for which no certificate is.
pub fn agent_of_this_machine() -> Agent {
    agent_with(TlsConfig::builder().disable_verification(true).build())
}

fn agent_with(tls: TlsConfig) -> Agent {
    Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(0)
        .timeout_global(Some(PATIENCE))
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

/// The addresses of a name; the system's own question may take half a minute and is not waited for.
pub fn addresses(host: &str, port: u16) -> Result<Vec<SocketAddr>, String> {
    let (tell, told) = mpsc::channel();
    let asked = (host.to_owned(), port);
    std::thread::spawn(move || {
        let found = asked.to_socket_addrs().map(Iterator::collect::<Vec<_>>);
        let _ = tell.send(found.map_err(|error| error.to_string()));
    });
    told.recv_timeout(PATIENCE).unwrap_or_else(|_| Err("no name server answered in time".to_owned()))
}

/// Connects to the first address of a name that answers.
pub fn connect(host: &str, port: u16) -> Result<TcpStream, String> {
    let mut reason = "it has no address".to_owned();
    for address in addresses(host, port)?.into_iter().take(2) {
        match TcpStream::connect_timeout(&address, PATIENCE) {
            Ok(stream) => return Ok(stream),
            Err(error) => reason = error.to_string(),
        }
    }
    Err(reason)
}
