//! The site's certificate: where it is kept between two runs, until when it is valid and for whom.
//! Left out on purpose: serving with it and asking for it, which is `web::tls`' business.

use std::fmt;
use std::path::Path;

use chrono::{DateTime, Utc};
use rusqlite::Connection;
use rustls::RootCertStore;
use rustls::client::verify_server_name;
use rustls::pki_types::pem::{self, PemObject};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::server::ParsedCertificate;
use rustls::sign::CertifiedKey;
use sha2::{Digest, Sha256};
use x509_parser::extensions::GeneralName;

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
    hex::encode(Sha256::digest(format!("{directory}\n{}", of.join("\n"))))
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

/// Whom other machines' HTTPS is believed by: the web's usual roots, and `tls.ca_file`.
///
/// # Errors
/// [`Error::Failed`] when that file cannot be used.
pub fn roots(ca_file: &str) -> Result<RootCertStore> {
    let mut roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
    if ca_file.is_empty() {
        return Ok(roots);
    }
    let unusable =
        |error: &dyn fmt::Display| Error::Failed(format!("tls.ca_file: {ca_file} cannot be used: {error}."));
    for certificate in CertificateDer::pem_file_iter(ca_file).map_err(|error| unusable(&error))? {
        let certificate = certificate.map_err(|error| unusable(&error))?;
        roots.add(certificate).map_err(|error| unusable(&error))?;
    }
    Ok(roots)
}

/// What browsers will say against the host's own certificate, as a sentence: it is for other names than the site's.
pub fn misnamed(tls: &Tls, own: &CertifiedKey, hosts: &[String]) -> Option<String> {
    let certificate = own.end_entity_cert().ok()?;
    let parsed = ParsedCertificate::try_from(certificate).ok()?;
    let is_for =
        |host: &str| ServerName::try_from(host).is_ok_and(|host| verify_server_name(&parsed, &host).is_ok());
    let strangers: Vec<&str> = hosts.iter().map(String::as_str).filter(|host| !is_for(host)).collect();
    if strangers.is_empty() {
        return None;
    }
    let names = names_of(certificate);
    let names = if names.is_empty() { "no name".to_owned() } else { names.join(", ") };
    Some(format!(
        "tls.certificate: {} is for {names} and not for {}: browsers refuse the site there. Put one in its place that \
         names every name of the site.",
        tls.certificate,
        strangers.join(", ")
    ))
}

/// The names that a certificate says it is for; a common name has not counted for years.
fn names_of(certificate: &CertificateDer<'_>) -> Vec<String> {
    let Ok((_, parsed)) = x509_parser::parse_x509_certificate(certificate) else { return Vec::new() };
    let Ok(Some(list)) = parsed.subject_alternative_name() else { return Vec::new() };
    let name = |name: &GeneralName<'_>| match name {
        GeneralName::DNSName(name) => Some((*name).to_owned()),
        _ => None,
    };
    list.value.general_names.iter().filter_map(name).collect()
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
