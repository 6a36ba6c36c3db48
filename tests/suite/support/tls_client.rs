//! A TLS client that gives access to the server's certificate and to the bytes of HTTP.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{
    ClientConfig, ClientConnection, DigitallySignedStruct, RootCertStore, SignatureScheme, StreamOwned,
};

use crate::support::TIMEOUT;

pub type Stream = StreamOwned<ClientConnection, TcpStream>;

/// The certificates that a client accepts.
pub enum Trust<'a> {
    /// Any certificate, so that a test can inspect it.
    Anything,
    /// Certificates issued by these roots, as PEM.
    Roots(&'a str),
}

/// Performs a handshake for the host `name`, offering these protocols (ALPN).
pub fn connect(address: &str, name: &str, trust: &Trust<'_>, protocols: &[&str]) -> std::io::Result<Stream> {
    let provider = Arc::new(ring::default_provider());
    let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .expect("versions");
    let mut config = match trust {
        Trust::Anything => builder
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(NoVerification(provider)))
            .with_no_client_auth(),
        Trust::Roots(pem) => {
            let mut roots = RootCertStore::empty();
            for root in CertificateDer::pem_slice_iter(pem.as_bytes()) {
                roots.add(root.expect("PEM")).expect("a root");
            }
            builder.with_root_certificates(roots).with_no_client_auth()
        }
    };
    config.alpn_protocols = protocols.iter().map(|name| name.as_bytes().to_vec()).collect();
    let name = ServerName::try_from(name.to_owned()).expect("a name");
    let mut stream = StreamOwned::new(
        ClientConnection::new(Arc::new(config), name).expect("a connection"),
        TcpStream::connect(address)?,
    );
    stream.sock.set_read_timeout(Some(TIMEOUT))?;
    while stream.conn.is_handshaking() {
        stream.conn.complete_io(&mut stream.sock)?;
    }
    Ok(stream)
}

/// The certificate that the server presents for a name.
pub fn certificate(address: &str, name: &str) -> Vec<u8> {
    let stream = connect(address, name, &Trust::Anything, &["http/1.1"]).expect("a handshake");
    stream.conn.peer_certificates().expect("a chain")[0].to_vec()
}

/// The complete response to a GET request, as text.
pub fn get(address: &str, name: &str, trust: &Trust<'_>, path: &str) -> std::io::Result<String> {
    let mut stream = connect(address, name, trust, &["http/1.1"])?;
    write!(stream, "GET {path} HTTP/1.1\r\nhost: {name}\r\nconnection: close\r\n\r\n")?;
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    Ok(String::from_utf8_lossy(&answer).into_owned())
}

#[derive(Debug)]
struct NoVerification(Arc<CryptoProvider>);

impl ServerCertVerifier for NoVerification {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let known = &self.0.signature_verification_algorithms;
        rustls::crypto::verify_tls12_signature(message, certificate, signed, known)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let known = &self.0.signature_verification_algorithms;
        rustls::crypto::verify_tls13_signature(message, certificate, signed, known)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}
