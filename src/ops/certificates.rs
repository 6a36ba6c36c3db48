//! The site's certificate: where it is stored between runs, its validity and its host names.
//! Left out on purpose: serving and ordering it, which `http::tls` does.

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
use crate::store::tls_cache::{self, CERTIFICATE};

const LETS_ENCRYPT: &str = "https://acme-v02.api.letsencrypt.org/directory";

/// The validity period of a certificate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Validity {
    pub from: DateTime<Utc>,
    pub until: DateTime<Utc>,
}

impl Validity {
    /// Whether it is due for renewal: a third of the period or less is left.
    pub fn is_due(&self, now: DateTime<Utc>) -> bool {
        now >= self.until - (self.until - self.from) / 3
    }
}

/// The URL of the ACME directory: the configured one, or Let's Encrypt's.
pub fn directory(tls: &Tls) -> &str {
    if tls.directory_url.is_empty() { LETS_ENCRYPT } else { &tls.directory_url }
}

/// The cache key for a certificate (by its host names) or an account (by its contacts) at a directory.
pub fn key(directory: &str, names: &[String]) -> String {
    hex::encode(Sha256::digest(format!("{directory}\n{}", names.join("\n"))))
}

/// The certificate and key from the files in `tls.certificate` and `tls.private_key`; checks that they match.
pub fn read_configured(tls: &Tls) -> Result<CertifiedKey> {
    let wrong = |setting: &str, path: &str, error: &dyn fmt::Display| {
        Error::Failed(format!("{setting}: {path} cannot be used: {error}."))
    };
    let in_chain = |error: &dyn fmt::Display| wrong("tls.certificate", &tls.certificate, error);
    let in_key = |error: &dyn fmt::Display| wrong("tls.private_key", &tls.private_key, error);
    let chain = CertificateDer::pem_file_iter(Path::new(&tls.certificate))
        .and_then(Iterator::collect::<std::result::Result<Vec<_>, _>>)
        .map_err(|error| in_chain(&error))?;
    if chain.is_empty() {
        return Err(in_chain(&"it contains no certificate in PEM format"));
    }
    let key = PrivateKeyDer::from_pem_file(Path::new(&tls.private_key)).map_err(|error| match error {
        pem::Error::NoItemsFound => in_key(&"it contains no private key in PEM format"),
        other => in_key(&other),
    })?;
    let provider = rustls::crypto::ring::default_provider();
    CertifiedKey::from_der(chain, key, &provider).map_err(|error| match error {
        rustls::Error::InconsistentKeys(_) => in_key(&"it does not match tls.certificate"),
        other => in_key(&other),
    })
}

/// The trusted root certificates for outgoing HTTPS: the web's usual roots and those in `tls.ca_file`.
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

/// A sentence for the host if the configured certificate does not cover all of the site's names.
pub fn missing_names(tls: &Tls, own: &CertifiedKey, hosts: &[String]) -> Option<String> {
    let certificate = own.end_entity_cert().ok()?;
    let parsed = ParsedCertificate::try_from(certificate).ok()?;
    let covers =
        |host: &str| ServerName::try_from(host).is_ok_and(|host| verify_server_name(&parsed, &host).is_ok());
    let missing: Vec<&str> = hosts.iter().map(String::as_str).filter(|host| !covers(host)).collect();
    if missing.is_empty() {
        return None;
    }
    let names = names_of(certificate);
    let names = if names.is_empty() { "no name".to_owned() } else { names.join(", ") };
    Some(format!(
        "tls.certificate: {} is valid for {names}, but not for {}, where browsers refuse it. Replace it with one that \
         covers every name of the site.",
        tls.certificate,
        missing.join(", ")
    ))
}

/// The DNS names in a certificate's subject alternative name. Browsers ignore the common name.
fn names_of(certificate: &CertificateDer<'_>) -> Vec<String> {
    let Ok((_, parsed)) = x509_parser::parse_x509_certificate(certificate) else { return Vec::new() };
    let Ok(Some(list)) = parsed.subject_alternative_name() else { return Vec::new() };
    let name = |name: &GeneralName<'_>| match name {
        GeneralName::DNSName(name) => Some((*name).to_owned()),
        _ => None,
    };
    list.value.general_names.iter().filter_map(name).collect()
}

/// The validity of the certificate that is served; `None` without HTTPS, or before the first one was issued.
pub fn validity(tls: &Tls, connection: &Connection) -> Result<Option<Validity>> {
    if !tls.certificate.is_empty() {
        return validity_of_configured(tls).map(Some);
    }
    if tls.domains.is_empty() {
        return Ok(None);
    }
    match tls_cache::get(connection, CERTIFICATE, &key(directory(tls), &tls.domains))? {
        Some(pem) => validity_of_pem(&pem).map(Some),
        None => Ok(None),
    }
}

/// The validity of the certificate in `tls.certificate`.
pub fn validity_of_configured(tls: &Tls) -> Result<Validity> {
    let pem = std::fs::read(&tls.certificate).map_err(|error| {
        Error::Failed(format!("tls.certificate: {} cannot be read: {error}.", tls.certificate))
    })?;
    validity_of_pem(&pem)
}

/// The validity of the first certificate in a PEM text.
fn validity_of_pem(pem: &[u8]) -> Result<Validity> {
    let unreadable = || Error::Failed("The certificate cannot be read. It must be in PEM format.".into());
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
    fn validity_is_read_from_pem() {
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
    fn keys_differ_by_directory_and_names() {
        let names = |list: &[&str]| list.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let keys = [
            key("https://a", &names(&["x.example.com"])),
            key("https://b", &names(&["x.example.com"])),
            key("https://a", &names(&["x.example.com", "y.example.com"])),
        ];
        assert!(keys[0] != keys[1] && keys[0] != keys[2]);
    }
}
