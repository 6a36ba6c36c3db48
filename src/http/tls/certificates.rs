//! Which certificate is shown: ACME's newest, the host's own, or a self-signed one until there is another.

use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

use chrono::Utc;
use rustls::pki_types::PrivateKeyDer;
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use rustls_acme::{ResolvesServerCertAcme, is_tls_alpn_challenge};

use crate::config::{self, Config};
use crate::error::{Error, Result};
use crate::ops::certificates;

pub struct Certificates {
    /// The host's own files, or what is shown until the authority has sent a certificate.
    standing: RwLock<Arc<CertifiedKey>>,
    /// Who asks the authority now, and answers its challenges.
    asking: RwLock<Option<Arc<ResolvesServerCertAcme>>>,
    /// Who has a certificate of the authority.
    certified: RwLock<Option<Arc<ResolvesServerCertAcme>>>,
    own: Option<Own>,
}

/// Where the host's own files are, and the names that they are to be for.
struct Own {
    settings: config::Tls,
    hosts: Vec<String>,
}

impl Certificates {
    /// `None` when the settings name neither domains nor files.
    ///
    /// # Errors
    /// [`Error::Failed`] says what is wrong with the host's own files.
    pub fn new(config: &Config) -> Result<Option<Certificates>> {
        let settings = &config.tls;
        let (standing, own) = match (settings.certificate.is_empty(), settings.domains.is_empty()) {
            (false, _) => {
                let own = Own { settings: settings.clone(), hosts: config.hosts() };
                (read_own(&own)?, Some(own))
            }
            (true, false) => (self_signed(&settings.domains)?, None),
            (true, true) => return Ok(None),
        };
        Ok(Some(Certificates {
            standing: RwLock::new(Arc::new(standing)),
            asking: RwLock::default(),
            certified: RwLock::default(),
            own,
        }))
    }

    /// Whether the host brings its own files, so that no authority is asked.
    pub fn are_own(&self) -> bool {
        self.own.is_some()
    }

    /// Reads the host's own files anew; the present ones stay when that fails.
    pub fn reload(&self) -> Result<()> {
        if let Some(own) = &self.own {
            let fresh = read_own(own)?;
            *self.standing.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(fresh);
        }
        Ok(())
    }

    /// From now on this asker answers the authority's challenges.
    pub fn ask_by(&self, asker: Arc<ResolvesServerCertAcme>) {
        *self.asking.write().unwrap_or_else(PoisonError::into_inner) = Some(asker);
    }

    /// The present asker has a certificate, which is shown from now on.
    pub fn show_asked(&self) {
        let asker = present(&self.asking);
        *self.certified.write().unwrap_or_else(PoisonError::into_inner) = asker;
    }

    /// What an HTTP-01 challenge expects at its address.
    pub fn http_01(&self, token: &str) -> Option<String> {
        present(&self.asking)?.get_http_01_key_auth(token)
    }
}

impl ResolvesServerCert for Certificates {
    fn resolve(&self, hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        if is_tls_alpn_challenge(&hello) {
            return present(&self.asking)?.resolve(hello);
        }
        let standing = || Arc::clone(&self.standing.read().unwrap_or_else(PoisonError::into_inner));
        present(&self.certified).and_then(|asker| asker.resolve(hello)).or_else(|| Some(standing()))
    }
}

fn present(asker: &RwLock<Option<Arc<ResolvesServerCertAcme>>>) -> Option<Arc<ResolvesServerCertAcme>> {
    asker.read().unwrap_or_else(PoisonError::into_inner).clone()
}

impl fmt::Debug for Certificates {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Certificates").field("own", &self.own.is_some()).finish_non_exhaustive()
    }
}

/// The host's own files; the log is told of a certificate that has ended, or is for others.
fn read_own(Own { settings, hosts }: &Own) -> Result<CertifiedKey> {
    let read = certificates::read_own(settings)?;
    let until = certificates::validity_of_own(settings)?.until;
    if until < Utc::now() {
        tracing::error!(
            "tls.certificate: {} ended on {until}: browsers refuse the site",
            settings.certificate
        );
    }
    if let Some(words) = certificates::misnamed(settings, &read, hosts) {
        tracing::warn!("{words}");
    }
    Ok(read)
}

fn self_signed(domains: &[String]) -> Result<CertifiedKey> {
    let failed = |error: &dyn fmt::Display| {
        Error::Failed(format!("tls.domains: no certificate can be made for {}: {error}.", domains.join(", ")))
    };
    let made = rcgen::generate_simple_self_signed(domains).map_err(|error| failed(&error))?;
    let key = PrivateKeyDer::Pkcs8(made.key_pair.serialize_der().into());
    CertifiedKey::from_der(vec![made.cert.der().clone()], key, &rustls::crypto::ring::default_provider())
        .map_err(|error| failed(&error))
}
