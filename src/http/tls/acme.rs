//! Asks a certificate authority for the site's certificate, and again before it ends (ACME, RFC 8555).
//!
//! The library knows no deadline: an authority that stops answering is asked anew. It also tries again
//! within seconds, which an authority soon answers with a ban of an hour: the pauses are ours.

use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use chrono::Utc;
use rustls::ClientConfig;
use rustls_acme::{
    AccountCache, AcmeConfig, AcmeState, CertCache, EventError, EventOk, OrderError, UseChallenge,
};
use tokio::sync::Notify;
use tokio::time::{sleep, timeout};
use tokio_stream::StreamExt;

use super::Certificates;
use crate::app::App;
use crate::config;
use crate::error::{Error, Result};
use crate::ops::certificates;

/// An authority that has been silent for so long, while a certificate is due, is asked anew.
const PATIENCE: Duration = Duration::from_secs(15 * 60);
/// The library counts down to a renewal by a clock that stands still while the machine sleeps: it is set
/// anew this often.
const FRESH: Duration = Duration::from_secs(12 * 60 * 60);
/// Seconds until the next try, by the number of failures so far; the last one repeats.
const PAUSES: [u64; 5] = [60, 300, 900, 3600, 6 * 3600];

/// The shortest pause after the authority has said that it was asked too often.
const TOO_MANY: Duration = Duration::from_secs(3600);

type Asker = AcmeState<Error, Error>;

/// Keeps the site certified, as long as the program runs. `hurry` ends a pause: somebody has mended something.
pub async fn keep_certified(app: Arc<App>, shown: Arc<Certificates>, hurry: Arc<Notify>) {
    let mut failures = 0;
    loop {
        let asker = match asker(&app) {
            Ok(asker) => asker,
            Err(error) => {
                tracing::error!("{error}");
                return;
            }
        };
        shown.ask_by(asker.resolver());
        follow(&app, asker, &shown, &hurry, &mut failures).await;
    }
}

/// Follows one asker until it is stuck or old.
async fn follow(
    app: &Arc<App>,
    mut asker: Asker,
    shown: &Certificates,
    hurry: &Notify,
    failures: &mut usize,
) {
    let started = Instant::now();
    while started.elapsed() < FRESH {
        match timeout(PATIENCE, asker.next()).await {
            Ok(Some(Ok(event))) => {
                note(&event, shown);
                if matches!(event, EventOk::DeployedNewCert) {
                    *failures = 0;
                }
            }
            Ok(Some(Err(EventError::Order(error)))) => {
                let pause = pause_after(&error, *failures);
                *failures += 1;
                tracing::error!(
                    "the certificate authority gave no certificate: {}. The next try is in {} min; \
                     `showcase doctor` looks for the reason, SIGHUP tries at once",
                    words(&error),
                    pause.as_secs() / 60
                );
                tokio::select! {
                    () = sleep(pause) => {}
                    () = hurry.notified() => {}
                }
                // The library would now add a pause of its own.
                return;
            }
            // What is kept cannot be read or written: the asker goes on without.
            Ok(Some(Err(error))) => tracing::error!("HTTPS: {error}"),
            Ok(None) => return,
            Err(_) if is_due(app) => {
                tracing::warn!("the certificate authority does not answer and is asked anew");
                return;
            }
            Err(_) => {}
        }
    }
}

fn note(event: &EventOk, shown: &Certificates) {
    match event {
        EventOk::DeployedCachedCert => {
            shown.show_asked();
            tracing::info!("the kept certificate is shown");
        }
        EventOk::DeployedNewCert => {
            shown.show_asked();
            tracing::info!("a new certificate has come and is shown");
        }
        EventOk::CertCacheStore => tracing::info!("the certificate is kept in the database"),
        EventOk::AccountCacheStore => tracing::debug!("the account's key is kept in the database"),
    }
}

fn is_due(app: &App) -> bool {
    app.store
        .read(|connection| certificates::validity(&app.config.tls, connection))
        .ok()
        .flatten()
        .is_none_or(|validity| validity.is_due(Utc::now()))
}

fn pause_after(error: &OrderError, failures: usize) -> Duration {
    let pause = Duration::from_secs(PAUSES[failures.min(PAUSES.len() - 1)]);
    // The library keeps the status only in its words.
    if error.to_string().contains("http status: 429") { pause.max(TOO_MANY) } else { pause }
}

/// The authority's own words, where it gave some.
fn words(error: &OrderError) -> String {
    match error {
        OrderError::BadAuth(auth) => {
            let told = auth.challenges.iter().find_map(|challenge| challenge.error.as_ref()?.detail.clone());
            told.unwrap_or_else(|| "the name could not be proven to be ours".to_owned())
        }
        other => {
            let said = other.to_string();
            detail(&said).or_else(|| unreached(&said)).unwrap_or(said)
        }
    }
}

/// What an authority says with a refusal: `… http status: 429 "{\"detail\": …}"`.
fn detail(said: &str) -> Option<String> {
    let (status, body) = said.split_once("http status: ")?.1.split_once(' ')?;
    let body: String = serde_json::from_str(body).ok()?;
    let body: serde_json::Value = serde_json::from_str(&body).ok()?;
    Some(format!("it answered {status}, {}", body["detail"].as_str()?))
}

/// Why there was no connection. The library shows the shapes of its types; of those, the system's own words
/// are in quotation marks.
fn unreached(said: &str) -> Option<String> {
    let shape = said.split_once("ConnectError(")?.1;
    if shape.contains("InvalidCertificate") {
        return Some(
            "its own certificate is not believed: look at the clock and, for an authority of your own, at tls.ca_file"
                .to_owned(),
        );
    }
    Some(format!("it could not be reached: {}", shape.split('"').nth(1)?))
}

fn asker(app: &Arc<App>) -> Result<Asker> {
    let tls = &app.config.tls;
    let contact = (!tls.contact.is_empty()).then(|| format!("mailto:{}", tls.contact));
    let challenge = if tls.challenge == config::Challenge::Http01 {
        UseChallenge::Http01
    } else {
        UseChallenge::TlsAlpn01
    };
    Ok(AcmeConfig::new_with_client_config(&tls.domains, Arc::new(client_config(&tls.ca_file)?))
        .cache(Kept(Arc::clone(app)))
        .directory(certificates::directory(tls))
        .contact(contact)
        .challenge_type(challenge)
        .state())
}

fn client_config(ca_file: &str) -> Result<ClientConfig> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    Ok(ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| Error::Internal(format!("TLS: {error}")))?
        .with_root_certificates(certificates::roots(ca_file)?)
        .with_no_client_auth())
}

/// What is kept from one run to the next, in the database.
struct Kept(Arc<App>);

impl Kept {
    async fn load(&self, kind: &'static str, key: String) -> Result<Option<Vec<u8>>> {
        crate::http::blocking::blocking(&self.0, move |app| certificates::load(&app.store, kind, &key)).await
    }

    async fn keep(&self, kind: &'static str, key: String, value: &[u8]) -> Result<()> {
        let value = value.to_vec();
        crate::http::blocking::blocking(&self.0, move |app| certificates::keep(&app.store, kind, key, value))
            .await
    }
}

#[async_trait]
impl CertCache for Kept {
    type EC = Error;

    async fn load_cert(&self, domains: &[String], directory: &str) -> Result<Option<Vec<u8>>> {
        self.load(certificates::CERTIFICATE, certificates::key(directory, domains)).await
    }

    async fn store_cert(&self, domains: &[String], directory: &str, pem: &[u8]) -> Result<()> {
        self.keep(certificates::CERTIFICATE, certificates::key(directory, domains), pem).await
    }
}

#[async_trait]
impl AccountCache for Kept {
    type EA = Error;

    async fn load_account(&self, contact: &[String], directory: &str) -> Result<Option<Vec<u8>>> {
        self.load(certificates::ACCOUNT, certificates::key(directory, contact)).await
    }

    async fn store_account(&self, contact: &[String], directory: &str, key: &[u8]) -> Result<()> {
        self.keep(certificates::ACCOUNT, certificates::key(directory, contact), key).await
    }
}
