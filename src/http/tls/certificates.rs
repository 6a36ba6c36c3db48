//! Chooses the certificate to serve: the newest one issued over ACME, the configured one, or a self-signed one until
//! the first is issued.

use std::fmt;
use std::sync::Arc;

use arc_swap::{ArcSwap, ArcSwapOption};
use rustls::pki_types::PrivateKeyDer;
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use rustls_acme::{ResolvesServerCertAcme, is_tls_alpn_challenge};

use crate::config::{self, Config};
use crate::error::{Error, Result};
use crate::ops::certificates;
use crate::time;

#[derive(Debug)]
pub struct Certificates {
    /// The configured certificate, or a self-signed one.
    fallback: ArcSwap<CertifiedKey>,
    /// The resolver of the running ACME client, which answers challenges.
    running: ArcSwapOption<ResolvesServerCertAcme>,
    /// The resolver of the last ACME client that had a certificate.
    certified: ArcSwapOption<ResolvesServerCertAcme>,
    own: Option<ConfiguredFiles>,
}

/// The configured certificate and key, and the names that they must cover.
#[derive(Debug)]
struct ConfiguredFiles {
    settings: config::Tls,
    hosts: Vec<String>,
}

impl Certificates {
    /// `None` if the settings have neither domains nor certificate files.
    pub fn new(config: &Config) -> Result<Option<Certificates>> {
        let settings = &config.tls;
        let (fallback, own) = match (settings.certificate.is_empty(), settings.domains.is_empty()) {
            (false, _) => {
                let own = ConfiguredFiles { settings: settings.clone(), hosts: config.hosts() };
                (read_configured(&own)?, Some(own))
            }
            (true, false) => (self_signed(&settings.domains)?, None),
            (true, true) => return Ok(None),
        };
        Ok(Some(Certificates {
            fallback: ArcSwap::from_pointee(fallback),
            running: ArcSwapOption::empty(),
            certified: ArcSwapOption::empty(),
            own,
        }))
    }

    /// Whether certificate files are configured, so that ACME is not used.
    pub fn are_from_files(&self) -> bool {
        self.own.is_some()
    }

    /// Reloads the configured files. If that fails, the current certificate stays in use.
    pub fn reload(&self) -> Result<()> {
        if let Some(own) = &self.own {
            self.fallback.store(Arc::new(read_configured(own)?));
        }
        Ok(())
    }

    /// Makes this ACME client's resolver answer challenges.
    pub fn set_running(&self, resolver: Arc<ResolvesServerCertAcme>) {
        self.running.store(Some(resolver));
    }

    /// Serves the certificate of the running ACME client from now on.
    pub fn serve_running(&self) {
        self.certified.store(self.running.load_full());
    }

    /// The answer to an HTTP-01 challenge.
    pub fn http_01(&self, token: &str) -> Option<String> {
        self.running.load_full()?.get_http_01_key_auth(token)
    }
}

impl ResolvesServerCert for Certificates {
    fn resolve(&self, hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        if is_tls_alpn_challenge(&hello) {
            return self.running.load_full()?.resolve(hello);
        }
        let certified = self.certified.load_full().and_then(|resolver| resolver.resolve(hello));
        certified.or_else(|| Some(self.fallback.load_full()))
    }
}

/// Reads the configured files. Logs a certificate that has expired or does not cover all names.
fn read_configured(ConfiguredFiles { settings, hosts }: &ConfiguredFiles) -> Result<CertifiedKey> {
    let own = certificates::read_configured(settings)?;
    let until = certificates::validity_of_configured(settings)?.until;
    if until < time::now() {
        tracing::error!(
            "tls.certificate: {} expired on {until}, and browsers refuse the site",
            settings.certificate
        );
    }
    if let Some(warning) = certificates::missing_names(settings, &own, hosts) {
        tracing::warn!("{warning}");
    }
    Ok(own)
}

fn self_signed(domains: &[String]) -> Result<CertifiedKey> {
    let failed = |error: &dyn fmt::Display| {
        Error::Failed(format!(
            "tls.domains: no certificate can be created for {}: {error}.",
            domains.join(", ")
        ))
    };
    let made = rcgen::generate_simple_self_signed(domains).map_err(|error| failed(&error))?;
    let key = PrivateKeyDer::Pkcs8(made.key_pair.serialize_der().into());
    CertifiedKey::from_der(vec![made.cert.der().clone()], key, &rustls::crypto::ring::default_provider())
        .map_err(|error| failed(&error))
}
