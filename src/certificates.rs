//! The site's certificate: where it is kept between two runs, and until when it is valid.
//! Left out on purpose: serving with it and asking for it, which is `web::tls`' business.

use std::fmt;
use std::path::Path;

use chrono::{DateTime, Utc};
use rusqlite::Connection;
use rustls::pki_types::pem::{self, PemObject};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::sign::CertifiedKey;
use sha2::{Digest, Sha256};

use crate::config::Tls;
use crate::error::{Error, Result};
use crate::store::{Store, tls_cache};
use crate::time;

pub use crate::store::tls_cache::{ACCOUNT, CERTIFICATE};

const LETS_ENCRYPT: &str = "https://acme-v02.api.letsencrypt.org/directory";

/// The first and last instant of a certificate's life.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Validity {
    pub from: DateTime<Utc>,
    pub until: DateTime<Utc>,
}

impl Validity {
    /// Whether a third of its life or less is left, which is when it is renewed.
    pub fn is_due(&self, now: DateTime<Utc>) -> bool {
        now >= self.until - (self.until - self.from) / 3
    }
}

/// The certificate authority's directory: the configured one, or Let's Encrypt's.
pub fn directory(tls: &Tls) -> &str {
    if tls.directory_url.is_empty() { LETS_ENCRYPT } else { &tls.directory_url }
}

/// How a kept thing is named: by the directory and by the names or contacts that it belongs to.
pub fn key(directory: &str, of: &[String]) -> String {
    let digest = Sha256::digest(format!("{directory}\n{}", of.join("\n")));
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

pub fn load(store: &Store, kind: &'static str, key: &str) -> Result<Option<Vec<u8>>> {
    store.read(|connection| tls_cache::get(connection, kind, key))
}

pub fn keep(store: &Store, kind: &'static str, key: String, value: Vec<u8>) -> Result<()> {
    let now = time::stored(Utc::now());
    store.write(move |connection| tls_cache::set(connection, kind, &key, &value, &now))
}

/// The host's own certificate and key, which belong together.
///
/// # Errors
/// [`Error::Failed`] names the setting and the file that cannot be used.
pub fn read_own(tls: &Tls) -> Result<CertifiedKey> {
    let wrong = |setting: &str, path: &str, error: &dyn fmt::Display| {
        Error::Failed(format!("{setting}: {path} cannot be used: {error}."))
    };
    let in_chain = |error: &dyn fmt::Display| wrong("tls.certificate", &tls.certificate, error);
    let in_key = |error: &dyn fmt::Display| wrong("tls.private_key", &tls.private_key, error);
    let chain = CertificateDer::pem_file_iter(Path::new(&tls.certificate))
        .and_then(Iterator::collect::<std::result::Result<Vec<_>, _>>)
        .map_err(|error| in_chain(&error))?;
    if chain.is_empty() {
        return Err(in_chain(&"it holds no certificate in PEM"));
    }
    let key = PrivateKeyDer::from_pem_file(Path::new(&tls.private_key)).map_err(|error| match error {
        pem::Error::NoItemsFound => in_key(&"it holds no key in PEM"),
        other => in_key(&other),
    })?;
    let provider = rustls::crypto::ring::default_provider();
    CertifiedKey::from_der(chain, key, &provider).map_err(|error| match error {
        rustls::Error::InconsistentKeys(_) => in_key(&"it does not belong to tls.certificate"),
        other => in_key(&other),
    })
}

/// How long the certificate that is served is valid; `None` without HTTPS, or before the first one came.
pub fn validity(tls: &Tls, connection: &Connection) -> Result<Option<Validity>> {
    if !tls.certificate.is_empty() {
        return validity_of_own(tls).map(Some);
    }
    if tls.domains.is_empty() {
        return Ok(None);
    }
    match tls_cache::get(connection, CERTIFICATE, &key(directory(tls), &tls.domains))? {
        Some(pem) => validity_of_pem(&pem).map(Some),
        None => Ok(None),
    }
}

/// How long the host's own certificate is valid.
pub fn validity_of_own(tls: &Tls) -> Result<Validity> {
    let pem = std::fs::read(&tls.certificate).map_err(|error| {
        Error::Failed(format!("tls.certificate: {} cannot be read: {error}.", tls.certificate))
    })?;
    validity_of_pem(&pem)
}

/// The validity of the first certificate in a PEM text.
fn validity_of_pem(pem: &[u8]) -> Result<Validity> {
    let unreadable = || Error::Failed("The certificate cannot be read; it must be PEM.".into());
    let certificate = CertificateDer::pem_slice_iter(pem)
        .next()
        .and_then(std::result::Result::ok)
        .ok_or_else(unreadable)?;
    let (_, parsed) = x509_parser::parse_x509_certificate(&certificate).map_err(|_| unreadable())?;
    let instant = |seconds| DateTime::from_timestamp(seconds, 0).ok_or_else(unreadable);
    let validity = parsed.validity();
    Ok(Validity {
        from: instant(validity.not_before.timestamp())?,
        until: instant(validity.not_after.timestamp())?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_certificate_is_due_in_its_last_third() {
        let at = |text: &str| text.parse::<DateTime<Utc>>().expect("an instant");
        let validity = Validity { from: at("2026-01-01T00:00:00Z"), until: at("2026-04-01T00:00:00Z") };
        assert!(!validity.is_due(at("2026-03-01T23:59:59Z")));
        assert!(validity.is_due(at("2026-03-02T00:00:00Z")));
        assert!(validity.is_due(at("2026-05-01T00:00:00Z")));
    }

    #[test]
    fn the_life_of_a_certificate_is_read_from_its_text() {
        let mut params = rcgen::CertificateParams::new(["a.example.com".to_owned()]).expect("a name");
        params.not_after = rcgen::date_time_ymd(2030, 1, 2);
        let pair = rcgen::KeyPair::generate().expect("a key");
        let pem = params.self_signed(&pair).expect("a certificate").pem();
        let text = format!("{}{pem}", pair.serialize_pem());
        let validity = validity_of_pem(text.as_bytes()).expect("readable");
        assert_eq!(validity.until.to_rfc3339(), "2030-01-02T00:00:00+00:00");
        assert!(validity_of_pem(b"no certificate").is_err());
    }

    #[test]
    fn names_and_directory_tell_kept_things_apart() {
        let names = |list: &[&str]| list.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let keys = [
            key("https://a", &names(&["x.example.com"])),
            key("https://b", &names(&["x.example.com"])),
            key("https://a", &names(&["x.example.com", "y.example.com"])),
        ];
        assert!(keys[0] != keys[1] && keys[0] != keys[2]);
    }
}
