//! Chooses the certificate to serve: the newest one issued over ACME, the configured one, or a self-signed one until
//! the first is issued.

use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

use rustls::pki_types::PrivateKeyDer;
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use rustls_acme::{ResolvesServerCertAcme, is_tls_alpn_challenge};

use crate::config::{self, Config};
use crate::error::{Error, Result};
use crate::ops::certificates;
use crate::time;

pub struct Certificates {
    /// The configured certificate, or a self-signed one.
    fallback: RwLock<Arc<CertifiedKey>>,
    /// The resolver of the running ACME client, which answers challenges.
    running: RwLock<Option<Arc<ResolvesServerCertAcme>>>,
    /// The resolver of the last ACME client that had a certificate.
    certified: RwLock<Option<Arc<ResolvesServerCertAcme>>>,
    own: Option<ConfiguredFiles>,
}

/// The configured certificate and key, and the names that they must cover.
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
            fallback: RwLock::new(Arc::new(fallback)),
            running: RwLock::default(),
            certified: RwLock::default(),
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
            let reloaded = read_configured(own)?;
            *self.fallback.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(reloaded);
        }
        Ok(())
    }

    /// Makes this ACME client's resolver answer challenges.
    pub fn set_running(&self, resolver: Arc<ResolvesServerCertAcme>) {
        *self.running.write().unwrap_or_else(PoisonError::into_inner) = Some(resolver);
    }

    /// Serves the certificate of the running ACME client from now on.
    pub fn serve_running(&self) {
        let resolver = current(&self.running);
        *self.certified.write().unwrap_or_else(PoisonError::into_inner) = resolver;
    }

    /// The answer to an HTTP-01 challenge.
    pub fn http_01(&self, token: &str) -> Option<String> {
        current(&self.running)?.get_http_01_key_auth(token)
    }
}

impl ResolvesServerCert for Certificates {
    fn resolve(&self, hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        if is_tls_alpn_challenge(&hello) {
            return current(&self.running)?.resolve(hello);
        }
        let fallback = || Arc::clone(&self.fallback.read().unwrap_or_else(PoisonError::into_inner));
        current(&self.certified).and_then(|resolver| resolver.resolve(hello)).or_else(|| Some(fallback()))
    }
}

fn current(resolver: &RwLock<Option<Arc<ResolvesServerCertAcme>>>) -> Option<Arc<ResolvesServerCertAcme>> {
    resolver.read().unwrap_or_else(PoisonError::into_inner).clone()
}

impl fmt::Debug for Certificates {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Certificates").field("own", &self.own.is_some()).finish_non_exhaustive()
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
